#include "kinescope/random.hpp"

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <numbers>
#include <set>
#include <tuple>

namespace kinescope::sim::random_test {
namespace {

void expect_words(const RandomWords& words, std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  EXPECT_EQ(words[0], a);
  EXPECT_EQ(words[1], b);
  EXPECT_EQ(words[2], c);
  EXPECT_EQ(words[3], d);
}

// The known answers that come with the authors' Random123 library.
TEST(Random, PhiloxGivesThePublishedAnswers) {
  expect_words(philox4x32_10({{0, 0, 0, 0}}, 0, 0), 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8);
  constexpr std::uint32_t ones = 0xffffffff;
  expect_words(philox4x32_10({{ones, ones, ones, ones}}, ones, ones), 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd);
  expect_words(philox4x32_10({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0), 0xd16cfe09,
               0x94fdcceb, 0x5001e420, 0x24126ea1);
}

TEST(Random, EverySeedStreamIndexAndDrawGivesOtherWords) {
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint32_t>> seen;
  std::size_t count = 0;
  for (std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32, ~std::uint64_t{0}})
    for (std::uint32_t stream : {0u, 1u, 7u})
      for (std::uint64_t index : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{1} << 32})
        for (std::uint32_t draw : {0u, 1u, 5u}) {
          const RandomWords words = Random(seed, stream).words(index, draw);
          seen.insert({words[0], words[1], words[2], words[3]});
          ++count;
        }
  EXPECT_EQ(seen.size(), count);
}

TEST(Random, UniformNumbersStayBelowOneAtTheirEnds) {
  EXPECT_EQ(uniform_float(0), 0.0f);
  EXPECT_LT(uniform_float(0xffffffff), 1.0f);
  EXPECT_EQ(uniform_double(0, 0), 0.0);
  EXPECT_LT(uniform_double(0xffffffff, 0xffffffff), 1.0);
  EXPECT_EQ(uniform_below(0xffffffff, 10), 9u);
  EXPECT_EQ(uniform_below(0xffffffff, 0xffffffff), 0xfffffffeu);
  EXPECT_EQ(uniform_below(0, 1), 0u);
}

TEST(Random, UniformNumbersHaveTheMomentsOfTheirLaw) {
  const Random random(42, 3);
  constexpr int count = 200000;
  double sum = 0, squares = 0, lagged = 0, previous = 0.5;
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform(i);
    ASSERT_GE(x, 0.0);
    ASSERT_LT(x, 1.0);
    sum += x;
    squares += x * x;
    lagged += (x - 0.5) * (previous - 0.5);
    previous = x;
  }
  // Five standard errors of each mean.
  EXPECT_NEAR(sum / count, 0.5, 5 * std::sqrt(1.0 / 12 / count));
  EXPECT_NEAR(squares / count, 1.0 / 3, 5 * std::sqrt(4.0 / 45 / count));
  EXPECT_NEAR(lagged / count, 0, 5.0 / 12 / std::sqrt(count));
}

TEST(Random, NormalNumbersHaveTheMomentsOfTheirLaw) {
  const Random random(42, 4);
  constexpr int count = 200000;
  double sum = 0, squares = 0, fourth = 0, product = 0;
  int beyond_two = 0;
  for (int i = 0; i < count; ++i) {
    const NormalPair pair = normal_pair(random.words(i));
    for (const double x : {pair.first, pair.second}) {
      sum += x;
      squares += x * x;
      fourth += x * x * x * x;
      beyond_two += std::abs(x) > 2;
    }
    product += pair.first * pair.second;
  }
  constexpr double n = 2.0 * count;
  EXPECT_NEAR(sum / n, 0, 5 / std::sqrt(n));
  EXPECT_NEAR(squares / n, 1, 5 * std::sqrt(2 / n));
  EXPECT_NEAR(fourth / n, 3, 5 * std::sqrt(96 / n));
  EXPECT_NEAR(product / count, 0, 5 / std::sqrt(count));
  const double tail = std::erfc(std::numbers::sqrt2);
  EXPECT_NEAR(beyond_two / n, tail, 5 * std::sqrt(tail * (1 - tail) / n));
}

TEST(Random, PortableLogarithmIsTheLogarithm) {
  for (double x :
       {0x1p-53, 1e-10, 0.1, 0.5, 0.70710678, 0.7071068, 0.999999999, 1.0, 1.41421356, 1.4142136, 3.0, 1e300})
    EXPECT_NEAR(portable_log(x), std::log(x), 4e-16 * std::max(1.0, std::abs(std::log(x)))) << x;
  const Random random(1, 0);
  for (int i = 0; i < 10000; ++i) {
    const double x = 1 - random.uniform64(i);
    ASSERT_NEAR(portable_log(x), std::log(x), 1e-15 * std::max(1.0, std::abs(std::log(x)))) << x;
  }
}

TEST(Random, PortableExponentialIsTheExponential) {
  for (double x : {0.0, -0.0, -1e-300, -1e-10, -0.34657, -0.34658, -1.0, -40.0, -707.9})
    EXPECT_NEAR(portable_exp(x), std::exp(x), 6e-16 * std::exp(x)) << x;
  for (int i = 0; i < 10000; ++i) {
    const double x = -50 * Random(1, 0).uniform64(i);
    ASSERT_NEAR(portable_exp(x), std::exp(x), 1e-15 * std::exp(x)) << x;
  }
  EXPECT_EQ(portable_exp(-709), 0);
  EXPECT_EQ(portable_exp(-std::numeric_limits<double>::infinity()), 0);
}

TEST(Random, PortableSineAndCosineAreSineAndCosine) {
  for (int i = -4000; i <= 4000; ++i) {
    const double half_turns = i / 997.0;
    const SineCosine got = portable_sincospi(half_turns);
    ASSERT_NEAR(got.sine, std::sin(std::numbers::pi * half_turns), 2e-15) << half_turns;
    ASSERT_NEAR(got.cosine, std::cos(std::numbers::pi * half_turns), 2e-15) << half_turns;
    ASSERT_NEAR(got.sine * got.sine + got.cosine * got.cosine, 1, 4e-16);
  }
  EXPECT_EQ(portable_sincospi(0.5).sine, 1.0);
  EXPECT_EQ(portable_sincospi(1.0).cosine, -1.0);
  EXPECT_EQ(portable_sincospi(1.0).sine, 0.0);
}

// Any change of the generator changes every layout: these bits are part of what a user sees.
TEST(Random, NumbersAreTheSameOnEveryMachine) {
  static_assert(Random(1, 0).words(0)[0] == philox4x32_10({{0, 0, 0, 0}}, 1, 0)[0]);
  static_assert(Random((std::uint64_t{5} << 32) | 6, 7).words((std::uint64_t{3} << 32) | 2, 9)[3] ==
                philox4x32_10({{2, 3, 5, 9}}, 6, 7)[3]);
}

}  // namespace
}  // namespace kinescope::sim::random_test
