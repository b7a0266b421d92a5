// The operations of lanes.hpp on any processor: those of lanes_avx2.hpp, with the same results.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace kinescope::sim::lanes {

template <class V>
concept Vector = sizeof(V) > sizeof(double);

// f of each lane.
template <Vector V, class F, class... From>
inline V by_lane(F f, From... from) {
  V result;
  for (unsigned lane = 0; lane < sizeof(V) / sizeof(result[0]); ++lane) result[lane] = f(from[lane]...);
  return result;
}

template <Vector V>
inline V fma(V a, V b, V c) {
  return by_lane<V>([](auto x, auto y, auto z) { return std::fma(x, y, z); }, a, b, c);
}
template <Vector V>
inline V sqrt(V a) {
  return by_lane<V>([](auto x) { return std::sqrt(x); }, a);
}
template <Vector V>
inline V max(V a, V b) {
  return a > b ? a : b;
}
template <Vector V>
inline V min(V a, V b) {
  return a < b ? a : b;
}
template <Vector V>
inline V round(V a) {
  return by_lane<V>([](auto x) { return std::nearbyint(x); }, a);
}
inline std::int64_t whole(float a) {
  return std::llrint(a);
}
inline std::int64_t whole(double a) {
  return std::llrint(a);
}
inline Int8 whole(Float8 a) {
  return by_lane<Int8>([](float x) { return static_cast<std::int32_t>(std::lrint(x)); }, a);
}
inline Int8 products_of_pairs(Int8 a, Int8 b) {
  return (a << 16 >> 16) * (b << 16 >> 16) + (a >> 16) * (b >> 16);
}
inline Float8 from_halves(const std::uint16_t* halves) {
  Float8 values;
  for (int lane = 0; lane < 8; ++lane) {
    const std::uint32_t sign = std::uint32_t(halves[lane] & 0x8000u) << 16, rest = halves[lane] & 0x7fffu;
    const bool finite = rest < 0x7c00u;
    const float size =
        finite ? std::bit_cast<float>(rest << 13) * 0x1p112f : std::bit_cast<float>(rest << 13 | 0x7f800000u);
    values[lane] = std::bit_cast<float>(std::bit_cast<std::uint32_t>(size) | sign);
  }
  return values;
}
inline void store_bytes(std::uint8_t* to, Float8 a, Float8 b, Float8 c, Float8 d) {
  const Float8 vectors[4] = {a, b, c, d};
  for (int k = 0; k < 32; ++k) {
    const float value = std::nearbyint(vectors[k / 8][k % 8]);
    to[k] = std::uint8_t(value > 0 ? value < 255 ? value : 255 : 0);
  }
}
inline bool all(Int8 mask) {
  bool every = true;
  for (int lane = 0; lane < 8; ++lane) every = every && mask[lane] != 0;
  return every;
}
template <Vector V>
inline V sums_of(V a, V b, V c, V d) {
  const V vectors[4] = {a, b, c, d};
  V sums;
  for (int v = 0; v < 4; ++v) sums[v] = (vectors[v][0] + vectors[v][1]) + (vectors[v][2] + vectors[v][3]);
  return sums;
}

}  // namespace kinescope::sim::lanes
