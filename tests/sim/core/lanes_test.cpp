// Each operation on lanes equals the plain one, bit for bit. tests/CMakeLists.txt compiles this a second time without
// AVX2, for the plain versions.
#include "kinescope/executors/lanes.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace kinescope::sim {
namespace {

using lanes::Double4, lanes::Float8;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float special[] = {0.0f,     -0.0f,     0.5f, 1.5f,  -2.5f, 1e-42f,     -1e-42f,    3e38f,
                             infinity, -infinity, NAN,  1e10f, 0.1f,  8388609.0f, 1.0000001f, -1.0f};

// Eight numbers of many sizes, some of them special.
Float8 numbers(std::uint32_t which) {
  Float8 result;
  for (int lane = 0; lane < 8; ++lane) {
    const std::uint32_t bits =
        static_cast<std::uint32_t>((which * 8u + static_cast<std::uint32_t>(lane) + 1u) * 2654435761u);
    result[lane] = bits % 3 == 0 ? special[bits / 3 % 16]
                                 : std::ldexp(static_cast<float>(static_cast<std::int32_t>(bits)),
                                              static_cast<int>(bits % 61) - 60);
  }
  return result;
}
Double4 doubles(std::uint32_t which) {
  const Float8 a = numbers(which), b = numbers(which + 7919);
  return lanes::as_double(lanes::low_half(a)) * 1.1 + lanes::as_double(lanes::high_half(b));
}

std::uint32_t bits(float value) {
  return std::isnan(value) ? 1 : std::bit_cast<std::uint32_t>(value);
}
std::uint64_t bits(double value) {
  return std::isnan(value) ? 1 : std::bit_cast<std::uint64_t>(value);
}

// Compares `f` of vectors with `g` of each lane.
template <class Vector, class F, class G, class... From>
void expect_each(const char* what, F f, G g, const From&... from) {
  const Vector result = f(from...);
  for (unsigned lane = 0; lane < sizeof(Vector) / sizeof(result[0]); ++lane)
    ASSERT_EQ(bits(result[lane]), bits(g(from[lane]...))) << what << " of lane " << lane;
}

template <class V>
void expect_all_operations(V a, V b, V c) {
  expect_each<V>(
      "fma", [](V x, V y, V z) { return lanes::fma(x, y, z); },
      [](auto x, auto y, auto z) { return std::fma(x, y, z); }, a, b, c);
  expect_each<V>(
      "sqrt", [](V x) { return lanes::sqrt(x); }, [](auto x) { return std::sqrt(x); }, a);
  expect_each<V>(
      "max", [](V x, V y) { return lanes::max(x, y); }, [](auto x, auto y) { return x > y ? x : y; }, a, b);
}

TEST(Lanes, ComputeWhatPlainNumbersDo) {
  for (std::uint32_t k = 0; k < 4000; ++k) {
    const Float8 a = numbers(k), b = numbers(k + 10007), c = numbers(k + 20011);
    expect_all_operations(a, b, c);
    expect_all_operations(lanes::low_half(a), lanes::low_half(b), lanes::high_half(c));
    expect_all_operations(doubles(k), doubles(k + 10007), doubles(k + 20011));
    using lanes::select, lanes::below, lanes::keep;
    expect_each<Float8>(
        "min", [](Float8 x, Float8 y) { return lanes::min(x, y); }, [](float x, float y) { return x < y ? x : y; }, a,
        b);
    expect_each<Float8>(
        "round", [](Float8 x) { return lanes::round(x); }, [](float x) { return std::nearbyint(x); }, a);
    expect_each<Double4>(
        "round", [](Double4 x) { return lanes::round(x); }, [](double x) { return std::nearbyint(x); }, doubles(k));
    expect_each<Float8>(
        "select", [](Float8 x, Float8 y) { return select(below(x, y), x + y, y); },
        [](float x, float y) { return x < y ? x + y : y; }, a, b);
    expect_each<Float8>(
        "keep", [](Float8 x, Float8 y) { return keep(x, below(x, y)); },
        [](float x, float y) { return x < y ? x : 0.0f; }, a, b);
    expect_each<Float8>(
        "abs", [](Float8 x) { return lanes::abs(x); }, [](float x) { return std::fabs(x); }, a);
    ASSERT_EQ(lanes::all(below(a, b)), [&] {
      for (int lane = 0; lane < 8; ++lane)
        if (!(a[lane] < b[lane])) return false;
      return true;
    }());
  }
}

TEST(Lanes, SumInAStatedOrder) {
  for (std::uint32_t k = 0; k < 1000; ++k) {
    const Double4 a = doubles(k), b = doubles(k + 1), c = doubles(k + 2), d = doubles(k + 3);
    const Double4 sums = lanes::sums_of(a, b, c, d);
    const Double4* const all[] = {&a, &b, &c, &d};
    for (int v = 0; v < 4; ++v)
      ASSERT_EQ(bits(sums[v]), bits(((*all[v])[0] + (*all[v])[1]) + ((*all[v])[2] + (*all[v])[3])));
    const Float8 v = numbers(k);
    ASSERT_EQ(bits(lanes::sum(v)), bits(((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]))));
  }
}

TEST(Lanes, WholeNumbersAreTheNearestEven) {
  for (const float value : {0.5f, 1.5f, -2.5f, 8388609.0f, 1e10f, -0.4f}) {
    EXPECT_EQ(lanes::whole(value), static_cast<std::int64_t>(std::nearbyint(value)));
    EXPECT_EQ(lanes::whole(double(value) * 1.0000001),
              static_cast<std::int64_t>(std::nearbyint(double(value) * 1.0000001)));
  }
}

TEST(Lanes, MultiplyPairsOfWholeNumbers) {
  std::uint32_t next = 1;
  const auto draw = [&next] {
    next = next * 1664525u + 1013904223u;
    return static_cast<std::int32_t>(next >> 16) % 65535 - 32767;
  };
  for (int k = 0; k < 2000; ++k) {
    lanes::Int8 a, b, expected;
    for (int lane = 0; lane < 8; ++lane) {
      std::int32_t low[2] = {draw(), draw()}, high[2] = {draw(), draw()};
      if (k % 5 == 0) low[0] = low[1] = 32767, high[0] = -32767;
      a[lane] = (low[0] & 0xFFFF) | static_cast<std::int32_t>(static_cast<std::uint32_t>(high[0]) << 16);
      b[lane] = (low[1] & 0xFFFF) | static_cast<std::int32_t>(static_cast<std::uint32_t>(high[1]) << 16);
      expected[lane] = low[0] * low[1] + high[0] * high[1];
    }
    const lanes::Int8 found = lanes::products_of_pairs(a, b);
    for (int lane = 0; lane < 8; ++lane) ASSERT_EQ(found[lane], expected[lane]);
  }
  const Float8 values = {0.5f, 1.5f, -2.5f, 32766.5f, -31000.25f, 0.0f, -0.4f, 7.0f};
  const lanes::Int8 whole = lanes::whole(values);
  for (int lane = 0; lane < 8; ++lane) EXPECT_EQ(whole[lane], static_cast<std::int32_t>(std::nearbyint(values[lane])));
}

TEST(Lanes, AllHalfFloatsAreReadExactly) {
  for (std::uint32_t first = 0; first < 0x10000; first += 8) {
    std::uint16_t halves[8];
    for (std::uint32_t lane = 0; lane < 8; ++lane) halves[lane] = static_cast<std::uint16_t>(first + lane);
    const Float8 values = lanes::from_halves(halves);
    for (std::uint32_t lane = 0; lane < 8; ++lane) {
      const std::uint32_t half = first + lane, exponent = half >> 10 & 31, fraction = half & 1023;
      float size = std::ldexp(static_cast<float>(exponent == 0 ? fraction : fraction + 1024),
                              static_cast<int>(std::max(exponent, 1u)) - 25);
      if (exponent == 31) size = fraction == 0 ? infinity : NAN;
      EXPECT_EQ(bits(values[lane]), bits(half < 0x8000 ? size : -size)) << half;
    }
  }
}

TEST(Lanes, BytesAreTheNearestNumbers) {
  for (std::uint32_t which = 0; which < 50; ++which) {
    Float8 values[4];
    for (std::uint32_t k = 0; k < 32; ++k)
      values[k / 8][k % 8] = which < 49 ? static_cast<float>(which * 32 + k) * 0.25f - 40 : k % 2 == 0 ? 3e4f : -3e4f;
    std::uint8_t bytes[33] = {};
    bytes[32] = 7;
    lanes::store_bytes(bytes, values[0], values[1], values[2], values[3]);
    for (std::uint32_t k = 0; k < 32; ++k)
      EXPECT_EQ(bytes[k], std::nearbyint(std::fmin(std::fmax(values[k / 8][k % 8], 0.0f), 255.0f)));
    EXPECT_EQ(bytes[32], 7);
  }
}

}  // namespace
}  // namespace kinescope::sim
