// Tests what the data panel shows of a column's values, and data that are read in another way: numbers as categories,
// tables as distances or as graphs.
#include "sim/data/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/number_facts.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::statistics_test {
namespace {

using Bars = std::vector<std::uint32_t>;
using Kind = Suggestion::Kind;

Column numbers(std::vector<float> values) {
  return {"x", false, std::move(values), {}};
}

Column texts(std::vector<std::string> values) {
  return {"x", true, {}, std::move(values)};
}

std::size_t sum(const Bars& bars) {
  return std::accumulate(bars.begin(), bars.end(), std::size_t{0});
}

TEST(Statistics, FewWholeNumbersHaveABarEach) {
  const ColumnStatistics found = statistics_of(numbers({3, 1, 1, NAN, 4, 1}));
  EXPECT_EQ(found.low, 1);
  EXPECT_EQ(found.high, 4);
  EXPECT_EQ(found.bars, (Bars{3, 0, 1, 1}));
  EXPECT_EQ(found.looked_at, 5u);
  EXPECT_EQ(found.values, 3u);
  EXPECT_FALSE(found.hardly_repeats);
}

TEST(Statistics, OtherNumbersFallIntoEqualPartsOfTheirRange) {
  std::vector<float> values;
  for (int i = 0; i < 1600; ++i) values.push_back(-2 + float(i) * 0.25f);
  const ColumnStatistics found = statistics_of(numbers(values));
  EXPECT_EQ(found.low, -2);
  EXPECT_EQ(found.high, 397.75f);
  EXPECT_EQ(found.bars, Bars(16, 100));
  EXPECT_TRUE(found.hardly_repeats);
}

TEST(Statistics, LongColumnsAreLookedAtInPartButTheirRangeIsExact) {
  std::mt19937 generator(2);
  std::normal_distribution<float> normal;
  std::vector<float> values(300'000);
  for (float& value : values) value = normal(generator);
  values[77'777] = 50;
  values[200'001] = -60;
  const ColumnStatistics found = statistics_of(numbers(values));
  EXPECT_EQ(found.high, 50);
  EXPECT_EQ(found.low, -60);
  EXPECT_FALSE(found.all_rows);
  EXPECT_LE(found.looked_at, 8192u);
  EXPECT_GT(found.looked_at, 7000u);
  EXPECT_EQ(sum(found.bars), found.looked_at);
}

TEST(Statistics, ConstantsAndGapsAreNoTrouble) {
  for (const float value : {7.f, 0.1f, -1e30f}) {
    const ColumnStatistics found = statistics_of(numbers(std::vector<float>(30, value)));
    EXPECT_EQ(found.low, value);
    EXPECT_EQ(found.bars, Bars{30});
    EXPECT_EQ(found.values, 1u);
  }
  const ColumnStatistics none = statistics_of(numbers({NAN, NAN}));
  EXPECT_TRUE(std::isnan(none.low));
  EXPECT_TRUE(none.bars.empty());
  EXPECT_TRUE(statistics_of(texts({"", ""})).bars.empty());
  const float most = std::numeric_limits<float>::max();
  EXPECT_EQ(sum(statistics_of(numbers({-most, 0.5f, most})).bars), 3u);
  const double far = std::numeric_limits<double>::max(), infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(sum(statistics_of({"x", false, Numbers{-far, 0.5, far}, {}}).bars), 3u);
  EXPECT_EQ(sum(statistics_of({"x", false, Numbers{-infinite, 0.5, 1e300, infinite}, {}}).bars), 2u);
  EXPECT_EQ(statistics_of({"x", false, Numbers{infinite, infinite}, {}}).bars, Bars{0});
}

TEST(Statistics, TextsAreCountedTheMostFrequentFirst) {
  const ColumnStatistics found = statistics_of(texts({"b", "a", "", "c", "a", "b", "a"}));
  EXPECT_EQ(found.bars, (Bars{3, 2, 1}));
  EXPECT_EQ(found.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(found.values, 3u);
  std::vector<std::string> all;
  for (int i = 0; i < 100; ++i) all.push_back("name " + std::to_string(i));
  const ColumnStatistics names = statistics_of(texts(all));
  EXPECT_EQ(names.bars.size(), ColumnStatistics::most_bars);
  EXPECT_EQ(names.values, 100u);
  EXPECT_TRUE(names.hardly_repeats);
}

TEST(Statistics, DatesAreToldAsTheyWereWritten) {
  const Table table = read_bytes("day,x\n2024-03-05,1\n2023-12-31,2\n2024-01-01,3\n");
  const ColumnStatistics found = statistics_of(table.columns[0]);
  EXPECT_EQ(found.low_text, "2023-12-31");
  EXPECT_EQ(found.high_text, "2024-03-05");
}

std::shared_ptr<const Dataset> open(const std::string& bytes, DataRequest request = {},
                                    const std::string& name = "table.csv") {
  const TemporaryFolder folder;
  request.source = folder.write(name, bytes);
  return load_dataset(request);
}

std::string stars(int rows) {
  std::string table = "size,stars\n";
  for (int i = 0; i < rows; ++i) table += std::to_string(0.37 * i) + "," + std::to_string(i % 5) + "\n";
  return table;
}

TEST(ReadAsCategories, NumbersBecomeEquallyFarFromEachOther) {
  const auto data = open(stars(20), {.columns = {"stars"}, .categories = {"stars"}});
  ASSERT_EQ(data->dimensions, 5u);
  const auto distance = [&](std::size_t a, std::size_t b) {
    double squares = 0;
    for (std::size_t c = 0; c < 5; ++c) squares += std::pow(data->values()[5 * a + c] - data->values()[5 * b + c], 2);
    return std::sqrt(squares);
  };
  EXPECT_NEAR(distance(0, 1), 1, 1e-6);
  EXPECT_NEAR(distance(0, 4), 1, 1e-6);
  EXPECT_EQ(distance(0, 5), 0);
  EXPECT_EQ(data->findings->columns[1].kind, ColumnKind::categories);
  EXPECT_EQ(data->table.columns[1].texts[3], "3");
}

TEST(ReadAsCategories, RefusesWhatHasTooManyValues) {
  const std::string message = message_of_reading(stars(60), "table.csv", {.categories = {"size"}});
  EXPECT_NE(message.find("'size'"), std::string::npos) << message;
  EXPECT_NE(message.find("categories"), std::string::npos) << message;
  EXPECT_NE(message_of_reading(stars(60), "table.csv", {.categories = {"Stars"}}).find("did you mean 'stars'"),
            std::string::npos);
}

std::vector<Kind> suggested(const std::string& bytes, const std::string& name = "table.csv") {
  const auto data = open(bytes, {}, name);
  std::vector<Kind> kinds;
  for (const Suggestion& each : data->findings->suggestions) kinds.push_back(each.kind);
  return kinds;
}

std::string square(float change) {
  std::string table = "place,a,b,c,d,e\n";
  for (int i = 0; i < 5; ++i) {
    table += "abcde"[i];
    for (int j = 0; j < 5; ++j)
      table += "," + std::to_string(float(std::abs(i - j)) * 1.5f + (i == 1 && j == 3 ? change : 0));
    table += "\n";
  }
  return table;
}

TEST(AnotherReading, ATableOfDistancesIsRecognized) {
  const auto data = open(square(0));
  ASSERT_EQ(data->findings->suggestions.size(), 1u);
  const Suggestion& suggestion = data->findings->suggestions[0];
  EXPECT_EQ(suggestion.kind, Kind::use_as_distances);
  EXPECT_EQ(suggestion.option, "--set metric=matrix");
  EXPECT_EQ(suggestion.parameter, "metric");
  EXPECT_EQ(suggestion.value, "matrix");
  for (const float change : {0.5f, -10.f})
    for (const Kind kind : suggested(square(change))) EXPECT_NE(kind, Kind::use_as_distances) << change;
  EXPECT_EQ(open(square(0), {.reading = Reading::matrix})->findings->suggestions.size(), 0u);
}

TEST(AnotherReading, EdgesAreRecognized) {
  std::string ring = "0,1\n", named = "source,target\n", grid = "x,y\n";
  for (int i = 1; i < 20; ++i) ring += std::to_string(i) + "," + std::to_string((i + 1) % 20) + "\n";
  for (int i = 0; i < 20; ++i) named += std::to_string(7 * i) + "," + std::to_string(7 * (i + 3)) + "\n";
  for (int i = 0; i < 100; ++i) grid += std::to_string(i % 10) + "," + std::to_string(i / 10) + "\n";
  EXPECT_EQ(suggested(ring), std::vector{Kind::use_as_graph});
  EXPECT_EQ(suggested(named), std::vector{Kind::use_as_graph});
  for (const Kind kind : suggested(grid)) EXPECT_NE(kind, Kind::use_as_graph);
}

// Compares with one plain loop over the numbers.
template <class Number>
void expect_facts(const std::vector<Number>& values) {
  NumberFacts expected;
  std::size_t row = 0;
  for (const double value : values) {
    if (std::isinf(value) && expected.first_infinite == NumberFacts::none) expected.first_infinite = row;
    expected.missing += std::isnan(value);
    if (!std::isnan(value) && !(value >= expected.low)) expected.low = value;
    if (!std::isnan(value) && !(value <= expected.high)) expected.high = value;
    expected.whole = expected.whole && (std::isnan(value) || value == std::floor(value));
    ++row;
  }
  Table table;
  table.rows = values.size();
  table.columns.push_back({"x", false, Numbers(values), {}});
  for (const NumberFacts& found : {facts_of(table.columns[0].numbers), facts_of(table)[0]}) {
    EXPECT_EQ(found.missing, expected.missing) << values.size();
    EXPECT_EQ(found.first_infinite, expected.first_infinite) << values.size();
    EXPECT_EQ(found.whole, expected.whole) << values.size();
    EXPECT_EQ(std::isnan(found.low), std::isnan(expected.low)) << values.size();
    if (std::isnan(expected.low)) continue;
    EXPECT_EQ(found.low, expected.low) << values.size();
    EXPECT_EQ(found.high, expected.high) << values.size();
    EXPECT_EQ(std::signbit(found.low), std::signbit(expected.low)) << "of zeros the first";
    EXPECT_EQ(std::signbit(found.high), std::signbit(expected.high)) << "of zeros the first";
    EXPECT_EQ(found.same(), expected.low == expected.high) << values.size();
  }
  std::vector<std::size_t> missing, walked;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isnan(values[i])) missing.push_back(i);
  each_missing(table.columns[0], [&](std::size_t at) { walked.push_back(at); });
  EXPECT_EQ(walked, missing) << values.size();
}

TEST(NumberFacts, AreThoseOfAPlainLoop) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (const std::size_t size : {1u, 2u, 31u, 32u, 33u, 1000u, 65'536u, 100'003u}) {
    std::vector<double> reals(size), whole(size), zeros(size, 0.0);
    for (double& value : reals) value = 1e10 * normal(random);
    for (double& value : whole) value = std::floor(20 * normal(random));
    zeros[size / 2] = -0.0;
    std::vector<double> gaps = whole, infinite = reals;
    for (std::size_t i = 0; i < size; i += 1 + random() % 9) gaps[i] = NAN;
    infinite[size - 1] = -INFINITY, infinite[size / 3] = INFINITY;
    for (const auto& values : {reals, whole, zeros, gaps, infinite, std::vector<double>(size, NAN)}) {
      expect_facts(values);
      expect_facts(std::vector<float>(values.begin(), values.end()));
    }
  }
}

TEST(NumberFacts, VariancesDoNotDependOnTheColumnsBesideThem) {
  std::mt19937 random(6);
  std::normal_distribution<double> normal;
  constexpr std::size_t rows = 10'007;
  std::vector<std::size_t> all(rows), some;
  std::iota(all.begin(), all.end(), std::size_t{0});
  for (std::size_t row = 3; row < rows; row += 1 + row % 5) some.push_back(row);
  std::vector<Numbers> columns;
  std::vector<std::size_t> missing;
  for (int c = 0; c < 19; ++c) {
    std::vector<double> values(rows);
    for (double& value : values) value = 1e4 * c + normal(random);
    if (c % 6 == 5) values[70] = NAN;
    c % 4 == 0 ? columns.emplace_back(std::vector<float>(values.begin(), values.end())) : columns.emplace_back(values);
    missing.push_back(c % 6 == 5);
  }
  std::vector<const Numbers*> together;
  for (const Numbers& column : columns) together.push_back(&column);
  for (const auto& chosen : {all, some}) {
    const std::vector<double> found = variances_of(together, missing, chosen);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      double origin = NAN, sum = 0, squares = 0, count = 0;
      for (const std::size_t row : chosen) {
        const double value = columns[c][row];
        if (std::isnan(value)) continue;
        if (std::isnan(origin)) origin = value;
        sum += value - origin, squares += (value - origin) * (value - origin), ++count;
      }
      EXPECT_EQ(found[c], std::max(0.0, squares / count - sum / count * (sum / count))) << c;
    }
  }
}

// The first columns are ends of edges only if all of these hold.
TEST(AnotherReading, NumberedEdgesHaveNoGapNoLoopAndNoTwin) {
  const auto is_graph = [](int gap_at, int loop_at, int twin_at, int first) {
    std::string text;
    for (int i = 0; i < 20; ++i) {
      const int from = i == twin_at ? (i + 9) % 20 : i, to = i == loop_at   ? i
                                                             : i == twin_at ? (i + 8) % 20
                                                                            : (i + 1) % 20;
      const auto named = [&](int node) { return std::to_string(first + node + (gap_at >= 0 && node >= gap_at)); };
      text += named(from) + "," + named(to) + "\n";
    }
    return suggested(text) == std::vector{Kind::use_as_graph};
  };
  EXPECT_TRUE(is_graph(-1, -1, -1, 0));
  EXPECT_TRUE(is_graph(-1, -1, -1, 1));
  EXPECT_FALSE(is_graph(-1, -1, -1, 2));
  EXPECT_FALSE(is_graph(7, -1, -1, 0));
  EXPECT_FALSE(is_graph(-1, 7, -1, 0));
  EXPECT_FALSE(is_graph(-1, -1, 7, 0)) << "the same edge in the other direction";
}

TEST(AnotherReading, AnAdjacencyMatrixIsRecognized) {
  const std::string head = "%%MatrixMarket matrix coordinate ";
  EXPECT_EQ(suggested(head + "pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n", "g.mtx"), std::vector{Kind::use_as_graph});
  EXPECT_TRUE(suggested(head + "pattern general\n4 4 3\n2 1\n3 2\n4 3\n", "g.mtx").empty());
  EXPECT_TRUE(suggested(head + "real symmetric\n4 4 3\n2 1 0.5\n3 2 1\n4 3 1\n", "g.mtx").empty());
}

TEST(Statistics, DifferentTextsAreCountedInParts) {
  for (const std::size_t size : {0, 1, 2, 4095, 4096, 50'000}) {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < size; ++i)
      texts.push_back(i % 7 == 0 ? "" : "a text of row " + std::to_string(i * i % (size / 2 + 1)));
    std::set<std::string> different(texts.begin(), texts.end());
    different.erase("");
    EXPECT_EQ(count_different(texts), different.size()) << size;
    EXPECT_EQ(count_different(std::vector<std::string>(size, "same")), size > 0 ? 1u : 0u);
  }
}

}  // namespace
}  // namespace kinescope::sim::statistics_test
