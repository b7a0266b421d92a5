// A few rows that hide all others are reported with their lines; heavy tails are not.
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <string>

#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "tests/sim/data/opening.hpp"

namespace kinescope::sim::opening_cases::far_rows_test {
namespace {

// A header and below it the numbers value(row, column).
template <class Value>
std::string table_of(int rows, int columns, Value value) {
  std::string bytes = "a";
  for (int c = 1; c < columns; ++c) bytes += std::string(",") + char('a' + c);
  for (int row = 0; row < rows; ++row)
    for (int c = 0; c < columns; ++c) bytes += (c == 0 ? '\n' : ',') + number_text(static_cast<float>(value(row, c)));
  return bytes + "\n";
}

std::string told(const std::string& bytes, const DataRequest& request = {}) {
  return open(bytes, request, "t.csv")->findings->far_rows;
}

// Numbers from N(0, 1), those of some rows 1000 times as large.
std::string with_far(std::vector<int> far, int columns = 4) {
  std::mt19937 engine(1);
  std::normal_distribution<double> normal;
  return table_of(2000, columns, [&](int row, int) {
    return normal(engine) * (std::find(far.begin(), far.end(), row) == far.end() ? 1 : 1000);
  });
}

TEST(FarRows, AreToldWithTheirLines) {
  const std::string four =
      "4 of 2,000 rows are so far from all others that these will look like one dot; check or "
      "remove them: lines 9, 502, 1001, 2000";
  EXPECT_EQ(told(with_far({7, 500, 999, 1998})), four);
  EXPECT_EQ(told(with_far({3})),
            "1 of 2,000 rows is so far from all others that these will look like one dot; check "
            "or remove it: line 5");
  EXPECT_TRUE(told(with_far({1, 2, 3, 4, 5, 6, 7})).ends_with("lines 3, 4, 5, 6, 7, 8, …"));
  EXPECT_EQ(told(with_far({})), "");
  // A twentieth of all rows is too many: they are a part of the data.
  std::vector<int> many;
  for (int row = 0; row < 100; ++row) many.push_back(20 * row);
  EXPECT_EQ(told(with_far(many)), "");
}

TEST(FarRows, AreToldInSmallTables) {
  const auto one_far = [](int rows) {
    return table_of(rows, 2, [](int row, int column) { return row == 3 ? 1e4 : row + 0.1 * column; });
  };
  EXPECT_TRUE(told(one_far(12)).ends_with("it: line 5")) << told(one_far(12));
  EXPECT_TRUE(told(one_far(5)).ends_with("it: line 5"));
  EXPECT_EQ(told(one_far(4)), "");
}

// The rest is in one place, as when hardly any row has what a column counts.
TEST(FarRows, AreNotThoseThatDifferAtAll) {
  EXPECT_EQ(told(table_of(2000, 2, [](int row, int) { return row == 77 ? 1 : 0; })), "");
}

TEST(FarRows, AreNotTheTailsOfOrdinaryData) {
  std::mt19937 engine(2);
  for (const double spread : {1.0, 2.0})
    for (const int columns : {1, 3, 10})
      for (int repetition = 0; repetition < 5; ++repetition) {
        std::lognormal_distribution<double> heavy(0, spread);
        EXPECT_EQ(told(table_of(1500, columns, [&](int, int) { return heavy(engine); })), "") << spread << columns;
      }
}

TEST(FarRows, AreNotThoseThatStandardizingBringsBack) {
  std::mt19937 engine(3);
  std::normal_distribution<double> normal;
  // One cell is wrong: the suggestion to standardize helps.
  const std::string one_cell =
      table_of(500, 4, [&](int row, int column) { return row == 30 && column == 2 ? 1e6 : normal(engine); });
  EXPECT_EQ(told(one_cell), "");
  EXPECT_EQ(kinds(*open(one_cell)->findings), std::vector{Kind::standardize});
  // Whole rows are wrong, and a column has another scale: standardizing does not help.
  const auto both = open(table_of(2000, 4, [&](int row, int column) {
    return normal(engine) * (row % 500 == 3 ? 1000 : 1) * (column == 0 ? 100 : 1);
  }));
  EXPECT_EQ(kinds(*both->findings), std::vector{Kind::standardize});
  EXPECT_TRUE(both->findings->far_rows.starts_with("4 of 2,000 rows are")) << both->findings->far_rows;
}

TEST(FarRows, AreThoseOfTheColumnsInUse) {
  const std::string bytes = table_of(
      200, 3, [](int row, int column) { return column == 2 && row == 50 ? 1e6 : std::sin(row * (column + 1.5)); });
  EXPECT_EQ(told(bytes, {.columns = {"a", "b"}}), "");
  EXPECT_TRUE(told(bytes, {.columns = {"c"}}).ends_with("check or remove it: line 52"));
  EXPECT_EQ(told(bytes, {.columns = {"c"}, .reading = Reading::mixed}), "");
}

TEST(FarRows, AreNoMatterToCosineDistances) {
  GlimmerParameters parameters;
  const auto data = open(with_far({7, 500}));
  EXPECT_TRUE(hides_the_rest(*data->findings, parameters));
  parameters.find("metric")->set("cosine");
  EXPECT_FALSE(hides_the_rest(*data->findings, parameters));
}

}  // namespace
}  // namespace kinescope::sim::opening_cases::far_rows_test
