// Gower's distances over tables of numbers, categories and gaps (Reading::mixed).
#include "sim/data/gower.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/random.hpp"
#include "sim/data/findings.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::gower_test {
namespace {

using Rows = std::vector<std::vector<float>>;

std::shared_ptr<const Dataset> read_mixed(std::string_view bytes, DataRequest request = {}) {
  const TemporaryFolder folder;
  request.source = folder.write("mixed.csv", bytes);
  request.reading = Reading::mixed;
  return load_dataset(request);
}

Rows distances_of(const DistanceFeeder& feeder) {
  Rows rows(feeder.points(), std::vector<float>(feeder.points()));
  for (std::size_t i = 0; i < rows.size(); ++i) feeder.row(i, rows[i]);
  return rows;
}

TEST(Gower, NumbersByRangeAndCategoriesByEquality) {
  // The range of 10 to 30 kg is 20; only the second and third rows have the same colour.
  const auto data = read_mixed("kg,colour,name\n10,red,a\n30,blue,b\n15,blue,c\n", {.label = "none"});
  EXPECT_EQ(data->points, 3u);
  EXPECT_EQ(data->dimensions, 0u);
  EXPECT_TRUE(data->values().empty());
  EXPECT_EQ(distances_of(*data->distances()), (Rows{{0, 1, 0.625f}, {1, 0, 0.375f}, {0.625f, 0.375f, 0}}));
  EXPECT_EQ(data->distances()->description(), "Gower's distances over 1 column of numbers and 1 of categories");
  EXPECT_EQ(data->findings->sentences()[2],
            "distances are computed from 1 column of numbers and 1 column of categories ('colour')");
}

TEST(Gower, GapsLeaveTheirPairs) {
  // Row 3 has no colour, so its distances use kg alone. Row 4 has no kg.
  const auto data = read_mixed("kg,colour\n10,red\n30,blue\n15,\n,blue\n20,red\n", {.label = "none"});
  const Rows d = distances_of(*data->distances());
  ASSERT_EQ(data->points, 5u);
  EXPECT_EQ(d[0][1], 1);
  EXPECT_EQ(d[0][2], 0.25f);
  EXPECT_EQ(d[1][3], 0);
  EXPECT_EQ(d[0][3], 1);
  // Rows 3 and 4 have no column in common. The six pairs of 10, 30, 15, 20 kg are (20 + 5 + 10 + 15 + 10 + 5)/20 = 3.25
  // apart in all. Of the six pairs of red, blue, blue, red, four differ.
  EXPECT_FLOAT_EQ(d[2][3], 0.5f * (3.25f / 6 + 4.0f / 6));
  EXPECT_EQ(d[3][2], d[2][3]);
  EXPECT_TRUE(data->rows_left_out.empty());
  EXPECT_EQ(data->table.rows, 5u);
  const auto said = data->findings->sentences();
  EXPECT_EQ(said.back(), "2 missing values left out, pair by pair");
  EXPECT_TRUE(data->findings->suggestions.empty());
}

TEST(Gower, IsThatOfANaiveLoop) {
  const Random random(3, 5);
  std::vector<Column> columns = {{"a"}, {"b", true}, {"c"}, {"d", true}, {"same"}};
  const std::size_t n = 3000;  // more than a block of points
  for (std::size_t i = 0; i < n; ++i) {
    const RandomWords words = random.words(i);
    columns[0].numbers.push_back(words[0] % 7 == 0 ? NAN : static_cast<float>(random.normal(i, 1)));
    columns[1].texts.push_back(words[1] % 5 == 0 ? "" : std::to_string(words[1] % 4));
    columns[2].numbers.push_back(1000 + static_cast<float>(words[2] % 50));
    columns[3].texts.push_back(words[3] % 2 == 0 ? "yes" : "no");
    columns[4].numbers.push_back(7.0);
  }
  std::vector<const Column*> taken;
  for (const Column& column : columns) taken.push_back(&column);
  std::vector<std::size_t> rows(n);
  for (std::size_t i = 0; i < n; ++i) rows[i] = i;
  std::vector<double> least(5, 1e30), most(5, -1e30);
  for (const std::size_t k : {0, 2, 4})
    for (const float value : columns[k].numbers)
      if (!std::isnan(value)) least[k] = std::min<double>(least[k], value), most[k] = std::max<double>(most[k], value);
  const Gower gower(taken, rows);
  std::vector<float> found(n);
  for (const std::size_t i : {0u, 1u, 1023u, 1024u, 2999u}) {
    gower.row(i, found);
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0, count = 0;
      for (std::size_t k = 0; k < 5; ++k) {
        const Column& column = columns[k];
        if (column.is_text && (column.texts[i].empty() || column.texts[j].empty())) continue;
        if (!column.is_text && (std::isnan(column.numbers[i]) || std::isnan(column.numbers[j]))) continue;
        const double range = most[k] > least[k] ? most[k] - least[k] : 1;
        sum += column.is_text ? column.texts[i] != column.texts[j]
                              : std::abs(column.numbers[i] - column.numbers[j]) / range;
        ++count;
      }
      ASSERT_NEAR(found[j], sum / count, 1e-6) << i << " " << j;
    }
    EXPECT_EQ(found[i], 0);
  }
}

TEST(Gower, RowsWithoutAnyValueAreLeftOut) {
  const auto data = read_mixed("kg,colour\n10,red\n,\n30,blue\n,red\n", {.label = "none"});
  EXPECT_EQ(data->points, 3u);
  EXPECT_EQ(data->rows_left_out, std::vector<std::size_t>{3});
}

TEST(Gower, TheLabelAndOtherColumnsTakeNoPart) {
  const std::string table = "kg,size,class\n10,small,x\n30,large,y\n10,large,x\n10,small,y\n";
  const auto data = read_mixed(table);
  EXPECT_EQ(data->label_name, "class");
  EXPECT_EQ(distances_of(*data->distances())[0][3], 0);
  EXPECT_EQ(distances_of(*data->distances())[0][2], 0.5f);
  EXPECT_EQ(distances_of(*read_mixed(table, {.columns = {"kg"}})->distances())[0][2], 0);
  EXPECT_EQ(distances_of(*read_mixed(table, {.label = "none"})->distances())[0][3], 1.0f / 3);
}

TEST(Gower, CategoriesAloneAndDatesToo) {
  const auto data = read_mixed("a,b\nx,p\ny,p\ny,q\nx,q\n", {.label = "none"});
  EXPECT_EQ(distances_of(*data->distances()),
            (Rows{{0, 0.5f, 1, 0.5f}, {0.5f, 0, 0.5f, 1}, {1, 0.5f, 0, 0.5f}, {0.5f, 1, 0.5f, 0}}));
  const auto dated = read_mixed("day,kind\n2024-01-01,x\n2024-01-11,x\n2024-01-06,x\n", {.label = "none"});
  EXPECT_EQ(distances_of(*dated->distances())[0], (std::vector<float>{0, 1, 0.5f}));
}

TEST(Gower, SparseRowsAreRefused) {
  DataRequest request;
  request.reading = Reading::mixed;
  EXPECT_EQ(message_of_reading("1 1:2\n2 1:3\n", "a.svm", request),
            "a.svm: metric=gower cannot be used with sparse rows");
}

}  // namespace
}  // namespace kinescope::sim::gower_test
