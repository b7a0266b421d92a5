// Terrain by midpoint displacement (A. Fournier, D. Fussell, L. Carpenter, 1982), in diamonds and squares, smoothed by
// a 3 × 3 Gaussian twice; normals by central differences.
//
//   symbol      here          meaning
//   m           mean          of the corners' heights: 4 for a cell's centre; for an edge's midpoint its 2 ends and the
//                             2 centres beside it (1 at the ground's border)
//   r           roughness     0 … 1
//   t           term          largest displacement beyond the corners' range: shrinks with the spacing
//   u, v                      uniform in [−½, ½) and [−1, 1), functions of (seed, level, cell)
//
//   midpoint = clamp(m + u r (high − low), low, high) + t v
//
// The numbers depend on the cell and the level alone, so that any thread can make any part of the terrain, and a larger
// terrain_size adds detail to the same landscape.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kinescope/random.hpp"

namespace kinescope::sim::landscape {

inline constexpr int control_level = 5;  // the large forms are given at (2^5 + 1)² places
inline constexpr int largest_terrain = 13;
inline constexpr std::uint32_t terrain_stream = 0x7E000000u;  // plus the level's number

struct TerrainForm {
  std::uint64_t seed = 1;
  float roughness = 0;
  float term[largest_terrain + 1] = {};  // m, for the level to which the midpoints belong
};

KINESCOPE_HD inline float lesser(float a, float b) {
#ifdef __CUDA_ARCH__
  return fminf(a, b);
#else
  return a < b ? a : b;
#endif
}
KINESCOPE_HD inline float greater(float a, float b) {
#ifdef __CUDA_ARCH__
  return fmaxf(a, b);
#else
  return a > b ? a : b;
#endif
}

struct Corners {
  float mean, low, high;
};

KINESCOPE_HD inline Corners corners(float a, float b, float c, float d) {
  return {((a + b) + (c + d)) * 0.25f, lesser(lesser(a, b), lesser(c, d)), greater(greater(a, b), greater(c, d))};
}

KINESCOPE_HD inline Corners corners(float a, float b, float c) {
  return {((a + b) + c) * (1.0f / 3.0f), lesser(lesser(a, b), c), greater(greater(a, b), c)};
}

KINESCOPE_HD inline float midpoint(const Corners& from, std::uint32_t word, float roughness, float term) {
  // Sixteen random bits each become the mantissa of a float between 1 and 2, or between 2 and 4.
  const float u = std::bit_cast<float>(0x3F800000u | (word >> 9 & 0x7FFF80u)) - 1.5f;
  const float v = std::bit_cast<float>(0x40000000u | (word << 7 & 0x7FFF80u)) - 3.0f;
  const float inside = std::fma(u, roughness * (from.high - from.low), from.mean);
  return std::fma(term, v, lesser(greater(inside, from.low), from.high));
}

// Words 0, 1, 2 are for the cell's centre and the midpoints of its lower and left edges. The cells of a level are those
// that are divided to make it.
KINESCOPE_HD inline RandomWords cell_words(std::uint64_t seed, int level, std::int64_t x, std::int64_t y) {
  return Random(seed, terrain_stream + static_cast<std::uint32_t>(level))
      .words(static_cast<std::uint64_t>(y) << 32 | static_cast<std::uint64_t>(x));
}

// Four times the mean with weights ¼, ½, ¼. No digit is lost: one product at the end divides by the factors of several
// calls.
KINESCOPE_HD inline float smooth(float before, float here, float after) {
  return std::fma(2.0f, here, before + after);
}

// A normal as its x and y components, 16 bits each. The z component is positive and follows from them.
KINESCOPE_HD inline std::uint32_t pack_normal(float slope_x, float slope_y) {
  const float square = std::fma(slope_x, slope_x, std::fma(slope_y, slope_y, 1.0f));
#ifdef __CUDA_ARCH__
  const float scale = -32767.0f * rsqrtf(square);
#else
  const float scale = -32767.0f / std::sqrt(square);
#endif
  // Adding this number rounds to an integer, which is then in the last 16 bits: the sum is a float between 2^23 and
  // 2^24.
  constexpr float whole = 12582912.0f;
  const auto x = std::bit_cast<std::uint32_t>(std::fma(slope_x, scale, whole));
  const auto y = std::bit_cast<std::uint32_t>(std::fma(slope_y, scale, whole));
  return (x & 0xFFFFu) | y << 16;
}

struct Normal {
  float x, y, z;
};

KINESCOPE_HD inline Normal unpack_normal(std::uint32_t packed) {
  const float x = static_cast<float>(static_cast<std::int16_t>(packed & 0xFFFFu)) * (1.0f / 32767.0f);
  const float y = static_cast<float>(static_cast<std::int16_t>(packed >> 16)) * (1.0f / 32767.0f);
  const float rest = 1.0f - x * x - y * y;
  return {x, y, std::sqrt(rest > 0 ? rest : 0.0f)};
}

// The heights as a function of the place, by interpolation. Outside the terrain the heights of its border are used.
struct TerrainHeights {
  const float* heights = nullptr;  // [size × size]
  std::int32_t size = 0;
  float spacing = 1, inverse_spacing = 1;

  struct Cell {
    float a, b, c, d;  // heights at its corners: (0, 0), (1, 0), (0, 1), (1, 1)
    float u, v;        // place in it
  };
  KINESCOPE_HD Cell cell(float x, float y) const {
    const float last = static_cast<float>(size - 1);
    float u = x * inverse_spacing, v = y * inverse_spacing;
    u = u > 0 ? (u < last ? u : last) : 0.0f;
    v = v > 0 ? (v < last ? v : last) : 0.0f;
    std::int32_t i = static_cast<std::int32_t>(u), j = static_cast<std::int32_t>(v);
    i = i < size - 1 ? i : size - 2;
    j = j < size - 1 ? j : size - 2;
    const float* at = heights + static_cast<std::int64_t>(j) * size + i;
    return {at[0], at[1], at[size], at[size + 1], u - static_cast<float>(i), v - static_cast<float>(j)};
  }
  KINESCOPE_HD float height(float x, float y) const {
    const Cell c = cell(x, y);
    const float lower = c.a + c.u * (c.b - c.a), upper = c.c + c.u * (c.d - c.c);
    return lower + c.v * (upper - lower);
  }
  // At least as high as the cell's bilinear height, and as both ways of dividing the cell into triangles.
  KINESCOPE_HD float upper_height(float x, float y) const {
    const Cell c = cell(x, y);
    const float one =
        c.u > c.v ? c.a + c.u * (c.b - c.a) + c.v * (c.d - c.b) : c.a + c.v * (c.c - c.a) + c.u * (c.d - c.c);
    const float other = c.u + c.v < 1 ? c.a + c.u * (c.b - c.a) + c.v * (c.c - c.a)
                                      : c.d + (1 - c.u) * (c.c - c.d) + (1 - c.v) * (c.b - c.d);
    return one > other ? one : other;
  }
  // Rise over run, over a distance of one spacing.
  KINESCOPE_HD float slope(float x, float y) const {
    const Cell c = cell(x, y);
    const float dx = 0.5f * ((c.b - c.a) + (c.d - c.c)) * inverse_spacing;
    const float dy = 0.5f * ((c.c - c.a) + (c.d - c.b)) * inverse_spacing;
    return std::sqrt(dx * dx + dy * dy);
  }
};

}  // namespace kinescope::sim::landscape
