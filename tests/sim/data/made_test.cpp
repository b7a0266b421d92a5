#include "kinescope/data/made.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::made_test {
namespace {

std::shared_ptr<const Dataset> made(const std::string& text) {
  DataRequest request;
  request.source = "synthetic:" + text;
  return load_dataset(request);
}

std::string refusal(const std::string& text) {
  return input_message([&] { make_data("synthetic:" + text); });
}

const Numbers& numbers(const MadeData& data, std::size_t column) {
  return data.table.columns[column].numbers;
}

TEST(Made, GridIsASquareOfUnitSide) {
  const MadeData data = make_data("synthetic:grid,n=10,h=4");
  ASSERT_EQ(data.table.rows, 10u);
  ASSERT_EQ(data.table.columns.size(), 4u);
  for (std::size_t i = 0; i < 10; ++i) {  // ceil(√10) = 4 wide, row by row
    EXPECT_EQ(numbers(data, 0)[i], static_cast<float>(i % 4) * 0.25f);
    EXPECT_EQ(numbers(data, 1)[i], static_cast<float>(i / 4) * 0.25f);
    EXPECT_EQ(numbers(data, 2)[i], 0);
    EXPECT_EQ(numbers(data, 3)[i], 0);
  }
}

TEST(Made, GridOfASquareNumberIsExactlyThatWide) {
  for (const std::size_t width : {1, 2, 7, 100, 316}) {
    const MadeData data = make_data("synthetic:grid,n=" + std::to_string(width * width) + ",h=2");
    const auto last = static_cast<float>(static_cast<double>(width - 1) / static_cast<double>(width));
    EXPECT_EQ(numbers(data, 0).back(), last);
    EXPECT_EQ(numbers(data, 1).back(), last);
  }
}

TEST(Made, GridNoiseStandsInColumnTwoAlone) {
  const MadeData data = make_data("synthetic:grid,n=40000,h=5,noise=0.1");
  double sum = 0, squares = 0;
  for (const float x : numbers(data, 2)) sum += x, squares += static_cast<double>(x) * x;
  EXPECT_NEAR(sum / 40000, 0, 5 * 0.1 / 200);
  EXPECT_NEAR(std::sqrt(squares / 40000), 0.1, 5 * 0.1 / std::sqrt(2.0 * 40000));
  for (const std::size_t column : {0, 1, 3, 4})
    EXPECT_EQ(numbers(data, column), numbers(make_data("synthetic:grid,n=40000,h=5"), column));
  EXPECT_NE(numbers(data, 2), numbers(make_data("synthetic:grid,n=40000,h=5,noise=0.1,seed=2"), 2));
}

TEST(Made, SwissrollPointsLieOnTheSpiral) {
  const MadeData data = make_data("synthetic:swissroll,n=5000");
  double smallest = 1e9, largest = 0, height = 0;
  for (std::size_t i = 0; i < 5000; ++i) {
    const double x = numbers(data, 0)[i], y = numbers(data, 1)[i], z = numbers(data, 2)[i], t = std::hypot(x, z);
    ASSERT_NEAR(x, t * std::cos(t), 1e-4);
    ASSERT_NEAR(z, t * std::sin(t), 1e-4);
    ASSERT_TRUE(y >= 0 && y < 21.0001);
    smallest = std::min(smallest, t);
    largest = std::max(largest, t);
    height += y / 5000;
  }
  EXPECT_NEAR(smallest, 1.5 * std::numbers::pi, 0.05);
  EXPECT_NEAR(largest, 4.5 * std::numbers::pi, 0.05);
  EXPECT_NEAR(height, 10.5, 5 * 21 / std::sqrt(12.0 * 5000));
}

TEST(Made, SimplexCornersAreAllSquareRootOfTwoApart) {
  const auto data = made("simplex,n=20");
  ASSERT_EQ(data->points, 20u);
  ASSERT_EQ(data->dimensions, 20u);
  for (std::size_t i = 0; i < 20; ++i)
    for (std::size_t j = 0; j < i; ++j) {
      float squared = 0;
      for (std::size_t k = 0; k < 20; ++k)
        squared += (data->values()[i * 20 + k] - data->values()[j * 20 + k]) *
                   (data->values()[i * 20 + k] - data->values()[j * 20 + k]);
      EXPECT_EQ(squared, 2);
    }
}

TEST(Made, ColoursAreDistinctAndCoverTheCube) {
  for (const std::size_t count : {1, 8, 9, 100, 4096}) {
    const auto data = made("colours,n=" + std::to_string(count));
    ASSERT_EQ(data->points, count);
    ASSERT_EQ(data->colours.size(), count);
    EXPECT_EQ(std::set(data->colours.begin(), data->colours.end()).size(), count);
    EXPECT_TRUE(std::all_of(data->colours.begin(), data->colours.end(), [](const auto& c) { return c[3] == 255; }));
    EXPECT_EQ(data->value_names, (std::vector<std::string>{"L", "a", "b"}));
  }
  EXPECT_EQ(made("colours")->points, 4096u);
}

// Reference values of CIELAB under D65 for the corners of the sRGB cube (to the two digits usually printed).
TEST(Made, ColoursHaveTheirCielabValues) {
  const auto data = made("colours,n=8");
  const std::vector<std::pair<std::array<int, 3>, std::array<double, 3>>> corners = {
      {{0, 0, 0}, {0, 0, 0}},
      {{255, 255, 255}, {100, 0, 0}},
      {{255, 0, 0}, {53.24, 80.09, 67.20}},
      {{0, 255, 0}, {87.73, -86.18, 83.18}},
      {{0, 0, 255}, {32.30, 79.19, -107.86}},
      {{255, 255, 0}, {97.14, -21.55, 94.48}}};
  for (const auto& [srgb, lab] : corners) {
    const std::array<std::uint8_t, 4> colour = {static_cast<std::uint8_t>(srgb[0]), static_cast<std::uint8_t>(srgb[1]),
                                                static_cast<std::uint8_t>(srgb[2]), 255};
    const auto found = std::find(data->colours.begin(), data->colours.end(), colour);
    ASSERT_NE(found, data->colours.end());
    const auto point = static_cast<std::size_t>(found - data->colours.begin());
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(data->values()[point * 3 + i], lab[i], 0.03) << srgb[0] << srgb[1] << srgb[2];
  }
}

TEST(Made, GreysHaveNoHue) {
  const auto data = made("colours,n=4096");
  int greys = 0;
  for (std::size_t i = 0; i < data->points; ++i) {
    const auto& c = data->colours[i];
    if (c[0] != c[1] || c[1] != c[2]) continue;
    ++greys;
    EXPECT_NEAR(data->values()[i * 3 + 1], 0, 1e-5);
    EXPECT_NEAR(data->values()[i * 3 + 2], 0, 1e-5);
  }
  EXPECT_EQ(greys, 16);
}

TEST(Made, ThePapersGaussiansHaveTheirMoments) {
  const auto data = made("gaussians,n=60000");
  EXPECT_EQ(data->dimensions, 2u);
  EXPECT_EQ(data->label_name, "cluster");
  EXPECT_EQ(data->label_names, (std::vector<std::string>{"0", "1", "2"}));
  const double means[3][2] = {{3, 3}, {15, 17}, {10.5, 0}}, deviations[3][2] = {{0.2, 0.5}, {1, 0.2}, {1.5, 1.5}};
  double sums[3][2] = {}, squares[3][2] = {}, counts[3] = {};
  for (std::size_t i = 0; i < data->points; ++i) {
    const std::uint32_t cluster = data->labels[i];
    ++counts[cluster];
    for (int k = 0; k < 2; ++k) {
      const double z = (data->values()[2 * i + k] - means[cluster][k]) / deviations[cluster][k];
      sums[cluster][k] += z;
      squares[cluster][k] += z * z;
    }
  }
  for (int cluster = 0; cluster < 3; ++cluster) {
    EXPECT_EQ(counts[cluster], 20000);
    for (int k = 0; k < 2; ++k) {
      EXPECT_NEAR(sums[cluster][k] / 20000, 0, 5 / std::sqrt(20000.0));
      EXPECT_NEAR(squares[cluster][k] / 20000, 1, 5 * std::sqrt(2 / 20000.0));
    }
  }
}

TEST(Made, OtherGaussiansStayWithinTheirRanges) {
  const auto data = made("gaussians,n=70000,k=5,clusters=7");
  EXPECT_EQ(data->dimensions, 5u);
  EXPECT_EQ(data->label_names.size(), 7u);
  for (std::uint32_t cluster = 0; cluster < 7; ++cluster)
    for (std::size_t k = 0; k < 5; ++k) {
      double sum = 0, squares = 0;
      for (std::size_t i = cluster; i < data->points; i += 7) {
        ASSERT_EQ(data->labels[i], cluster);
        sum += data->values()[5 * i + k];
        squares += static_cast<double>(data->values()[5 * i + k]) * data->values()[5 * i + k];
      }
      const double mean = sum / 10000, deviation = std::sqrt(squares / 10000 - mean * mean);
      EXPECT_TRUE(mean > -0.1 && mean < 20.1) << mean;
      EXPECT_TRUE(deviation > 0.19 && deviation < 1.56) << deviation;
    }
}

TEST(Made, TheSameSeedGivesTheSameBytes) {
  for (const std::string text :
       {"grid,n=50,noise=1", "swissroll", "gaussians,n=100", "gaussians,n=100,k=3,clusters=2"}) {
    EXPECT_EQ(made(text)->values(), made(text)->values());
    EXPECT_EQ(made(text)->values(), made(text + ",seed=1")->values());
    EXPECT_NE(made(text)->values(), made(text + ",seed=2")->values());
    EXPECT_NE(made(text + ",seed=4294967296")->values(), made(text + ",seed=0")->values());
  }
}

// FNV-1a over the values' bits: they are promised to be the same on every machine and in every version.
TEST(Made, ValuesAreTheSameOnEveryMachine) {
  const auto fingerprint = [](const std::string& text) {
    std::uint64_t hash = 0xCBF29CE484222325ull;
    const auto data = made(text);
    for (const float value : data->values()) {
      std::uint32_t bits;
      std::memcpy(&bits, &value, sizeof bits);
      for (int byte = 0; byte < 4; ++byte) hash = (hash ^ (bits >> (8 * byte) & 0xFF)) * 0x100000001B3ull;
    }
    return hash;
  };
  EXPECT_EQ(fingerprint("swissroll"), 0x20ab6cfe763cace0u);
  EXPECT_EQ(fingerprint("colours"), 0x8aebfdefe9e7142eu);
  EXPECT_EQ(fingerprint("gaussians,n=1000"), 0x315e510876174149u);
  EXPECT_EQ(fingerprint("grid,n=1000,noise=0.5"), 0x6336ba98441863aeu);
}

TEST(Made, FirstPointsDoNotDependOnTheirNumber) {
  const auto few = made("gaussians,n=10"), many = made("gaussians,n=1000");
  EXPECT_TRUE(std::equal(few->values().begin(), few->values().end(), many->values().begin()));
}

TEST(Made, DocumentsAreSparseRowsOfTheirTopicsWords) {
  const auto data = made("documents,n=900,h=500,clusters=3"), again = made("documents,n=900,h=500,clusters=3");
  ASSERT_TRUE(data->sparse());
  EXPECT_TRUE(data->values().empty());
  EXPECT_EQ(data->dimensions, 500u);
  EXPECT_EQ(data->label_names.size(), 3u);
  EXPECT_EQ(data->sparse()->value, again->sparse()->value);
  std::map<std::uint32_t, std::map<std::uint32_t, int>> uses;  // of words by topics
  for (std::size_t i = 0; i < 900; ++i) {
    const auto words = data->sparse()->index_of(i);
    EXPECT_TRUE(std::is_sorted(words.begin(), words.end(), std::less_equal<>()));
    EXPECT_GE(words.size(), 2u);
    for (const std::uint32_t word : words) ++uses[data->labels[i]][word];
  }
  const auto favourite = [](const auto& words) {
    return std::max_element(words.begin(), words.end(), [](auto& a, auto& b) { return a.second < b.second; })->first;
  };
  EXPECT_NE(favourite(uses[0]), favourite(uses[1]));
}

TEST(Made, DefaultsAreThoseOfTheInterface) {
  EXPECT_EQ(made("grid")->points, 10000u);
  EXPECT_EQ(made("grid")->dimensions, 8u);
  EXPECT_EQ(made("swissroll")->points, 1089u);
  EXPECT_EQ(made("simplex")->points, 100u);
  EXPECT_EQ(made("gaussians")->points, 500000u);
  EXPECT_EQ(made("colours")->name, "synthetic:colours");
}

TEST(Made, WrongNamesKeysAndValuesAreRefused) {
  EXPECT_EQ(refusal("foo"),
            "synthetic:foo: unknown sample data 'foo'; available: grid, swissroll, simplex, colours, gaussians, "
            "topics, documents, grid-graph, torus-graph, small-world, tree, sierpinski");
  EXPECT_EQ(refusal(""),
            "synthetic:: unknown sample data ''; available: grid, swissroll, simplex, colours, gaussians, topics, "
            "documents, grid-graph, torus-graph, small-world, tree, sierpinski");
  EXPECT_EQ(refusal("simplex,seed=1"), "synthetic:simplex,seed=1: simplex has no 'seed'; available: n");
  EXPECT_EQ(refusal("grid,n"), "synthetic:grid,n: expected key=value, found 'n'");
  EXPECT_EQ(refusal("grid,"), "synthetic:grid,: expected key=value, found ''");
  EXPECT_EQ(refusal("grid,n=4,n=5"), "synthetic:grid,n=4,n=5: n is given twice");
  EXPECT_EQ(refusal("grid,h=1"), "synthetic:grid,h=1: h: expected a whole number from 2 to 1000000, found '1'");
  EXPECT_EQ(refusal("grid,h=2,noise=1"),
            "synthetic:grid,h=2,noise=1: the noise is in column 2, so h must be at least 3");
  for (const std::string value : {"0", "-1", "1e3", "x", "", "2147483648", "99999999999999999999", "1.5", " 4", "4 "})
    EXPECT_EQ(
        refusal("swissroll,n=" + value),
        "synthetic:swissroll,n=" + value + ": n: expected a whole number from 1 to 2147483647, found '" + value + "'");
  for (const std::string value : {"-1", "nan", "inf", "1e7", "x"})
    EXPECT_TRUE(
        refusal("grid,noise=" + value).ends_with("noise: expected a number from 0 to 1000000, found '" + value + "'") ||
        refusal("grid,noise=" + value).ends_with("noise: expected a number from 0 to 1e+06, found '" + value + "'"))
        << refusal("grid,noise=" + value);
}

TEST(Made, MoreThanTheLimitsIsRefusedBeforeAnyMemoryIsTaken) {
  EXPECT_TRUE(refusal("simplex,n=46341").ends_with("n: expected a whole number from 1 to 46340, found '46341'"));
  EXPECT_THROW(make_data("synthetic:grid,n=2147483647,h=1000000"), Error);  // 17 PB
  EXPECT_TRUE(refusal("gaussians,n=10,k=1000000,clusters=1000000").ends_with("k × clusters must be at most 134217728"));
}

TEST(Made, CanBeCancelled) {
  LoadProgress progress;
  progress.cancelled = true;
  EXPECT_THROW(make_data("synthetic:gaussians", &progress), Cancelled);
  progress.cancelled = false;
  make_data("synthetic:gaussians,n=1000", &progress);
  EXPECT_EQ(progress.fraction, 1.0f);
}

}  // namespace
}  // namespace kinescope::sim::made_test
