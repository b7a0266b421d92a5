// The table of rows: order, search, filters, and what distinguishes a selection.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <random>

#include "app/features/table/differences.hpp"
#include "app/features/table/row_order.hpp"
#include "app/features/table/row_search.hpp"
#include "app/scenes/points/row_filters.hpp"
#include "app/scenes/points/selection.hpp"
#include "sim/data/text.hpp"

namespace kinescope::app::table_test {
namespace {

using List = std::vector<std::uint32_t>;
constexpr double nan = std::numeric_limits<double>::quiet_NaN(), inf = std::numeric_limits<double>::infinity();

sim::Column numbers(const std::string& name, std::vector<double> values) {
  return {name, false, std::move(values), {}};
}

sim::Column texts(const std::string& name, std::vector<std::string> values) {
  return {name, true, {}, std::move(values)};
}

sim::Table table_of(std::vector<sim::Column> columns) {
  sim::Table table;
  table.rows = columns.front().size();
  table.columns = std::move(columns);
  return table;
}

TEST(RowOrder, SortsNumbersStablyWithMissingOnesLast) {
  const sim::Column column = numbers("a", {3, nan, -1, 3, -inf, 0.0, -0.0, nan, inf});
  EXPECT_EQ(sorted_rows(column, false, {}), (List{4, 2, 5, 6, 0, 3, 8, 1, 7}));
  EXPECT_EQ(sorted_rows(column, true, {}), (List{8, 0, 3, 5, 6, 2, 4, 1, 7}));
}

TEST(RowOrder, SortsTextsByTheirLettersBeyondTheFirstEight) {
  const sim::Column column = texts("a", {"alphabets", "", "Beta", "alphabet", "alpha", "ALPHABETS", "é", "beta"});
  EXPECT_EQ(sorted_rows(column, false, {}), (List{4, 3, 0, 5, 2, 7, 6, 1}));
  EXPECT_EQ(sorted_rows(column, true, {}), (List{6, 2, 7, 0, 5, 3, 4, 1}));
}

TEST(RowOrder, SortsIdentifiersThatDoublesCannotTellApart) {
  sim::Column column = numbers("id", {9007199254740993.0, 9007199254740992.0, 9007199254740993.0});
  column.texts = {"9007199254740993", "9007199254740992", "9007199254740993"};
  EXPECT_EQ(sorted_rows(column, false, {}), (List{1, 0, 2}));
}

// More rows than are sorted at a time.
TEST(RowOrder, SortsManyRowsAsAStableSortDoes) {
  std::mt19937 random(3);
  std::vector<double> values((std::size_t{1} << 22) + 12345);
  for (double& value : values) value = random() % 50 == 0 ? nan : double(random() % 100000) - 5e4;
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    return std::isnan(values[b]) ? !std::isnan(values[a]) : values[a] < values[b];
  };
  List expected(values.size());
  std::iota(expected.begin(), expected.end(), 0u);
  std::ranges::stable_sort(expected, before);
  EXPECT_TRUE(sorted_rows(numbers("a", values), false, {}) == expected);
}

TEST(RowSearch, FindsAnyPieceWhateverTheCase) {
  EXPECT_TRUE(contains_ignoring_case("Iris SETOSA", "setosa"));
  EXPECT_TRUE(contains_ignoring_case("aab", "ab"));
  EXPECT_TRUE(contains_ignoring_case("x", ""));
  EXPECT_FALSE(contains_ignoring_case("seto", "setosa"));
  EXPECT_FALSE(contains_ignoring_case("", "a"));
  EXPECT_TRUE(contains_ignoring_case("Größe", "größ"));
}

TEST(RowSearch, LooksIntoEveryColumnAsItIsShown) {
  sim::Table table = table_of({texts("name", {"Ann", "ben", "Hannah", "", "Otto"}),
                               numbers("size", {1.5, 21.5, 3, nan, 1e21}), numbers("day", {0, 1, 2, 3, nan})});
  table.columns[2].texts = {"1970-01-01", "1970-01-02", "1970-01-03", "1970-01-04", ""};
  EXPECT_EQ(rows_with(table, "aNn", {}), (List{0, 2}));
  EXPECT_EQ(rows_with(table, "1.5", {}), (List{0, 1}));
  EXPECT_EQ(rows_with(table, "01-03", {}), (List{2}));
  EXPECT_EQ(rows_with(table, "e+", {}), (List{4}));
  EXPECT_EQ(rows_with(table, "nan", {}), List{}) << "a missing number has no text";
  EXPECT_EQ(rows_with(table, "", {}), (List{0, 1, 2, 3, 4}));
}

TEST(RowSearch, FindsWhatStdStringFinds) {
  std::mt19937 random(5);
  std::vector<std::string> values(20000);
  for (std::string& value : values)
    for (unsigned i = random() % 30; i > 0; --i) value += "abAB-"[random() % 5];
  const sim::Table table = table_of({texts("a", values)});
  for (const std::string part : {"a", "abba", "ba-b", "aaaaaa"}) {
    List expected;
    for (std::size_t row = 0; row < values.size(); ++row) {
      std::string small = values[row];
      std::ranges::replace(small, 'A', 'a'), std::ranges::replace(small, 'B', 'b');
      if (small.find(part) != std::string::npos) expected.push_back(std::uint32_t(row));
    }
    ASSERT_FALSE(expected.empty());
    EXPECT_EQ(rows_with(table, part, {}), expected) << part;
  }
}

TEST(Arrangement, ShowsWhatIsSelectedAndFoundInTheOrderOfAColumn) {
  auto data = std::make_shared<sim::Dataset>();
  data->points = 6;
  data->table = table_of({texts("name", {"ab", "b", "AB", "abc", "c", "xab"}), numbers("size", {5, 4, nan, 2, 1, 0})});
  Arrangement asked;
  asked.data = data;
  auto now = arranged(asked, {}, {});
  EXPECT_EQ(now->size(), 6u);
  EXPECT_EQ(now->row(4), 4u);
  asked.part = "ab";
  asked.sorting = Sorting{1, false};
  now = arranged(asked, *now, {});
  EXPECT_EQ(*now->shown, (List{5, 3, 0, 2}));
  EXPECT_EQ(*now->kept, (List{0, 2, 3, 5}));
  EXPECT_EQ(now->place_of(0), 2u);
  EXPECT_EQ(now->place_of(4), std::nullopt);
  asked.among = std::make_shared<List>(List{0, 1, 2, 4});
  const auto found = now->found, order = now->order;
  now = arranged(asked, *now, {});
  EXPECT_EQ(*now->shown, (List{0, 2}));
  EXPECT_TRUE(now->found == found && now->order == order) << "neither is computed again";
  std::stop_source stop;
  stop.request_stop();
  asked.part = "b";
  EXPECT_FALSE(arranged(asked, *now, stop.get_token()));
}

TEST(RowFilters, PassRowsThatPassAll) {
  const sim::Table table = table_of({numbers("a", {1, 2, 3, nan, 5}), texts("b", {"x", "y", "", "x", "x"})});
  const RowFilter range{.column = "a", .low = 2, .high = 5}, names{.column = "b", .texts = {"x", ""}};
  EXPECT_EQ(rows_passing(table, {range}), (List{1, 2, 4}));
  EXPECT_EQ(rows_passing(table, {names}), (List{0, 2, 3, 4}));
  EXPECT_EQ(rows_passing(table, {range, names}), (List{2, 4}));
  EXPECT_EQ(rows_passing(table, {{.column = "a", .high = 2}}), (List{0, 1}));
  EXPECT_EQ(rows_passing(table, {{.column = "c"}}), List{});
}

TEST(RowFilters, AreReadAsTheyWereKept) {
  const sim::Table table = table_of({numbers("a \"b\"", {1}), texts("c", {"x"})});
  const std::vector<RowFilter> filters{{.column = "a \"b\"", .low = 0.1, .high = 1e300},
                                       {.column = "c", .texts = {"", "line\nline", "ü"}},
                                       {.column = "a \"b\"", .low = -0.3}};
  EXPECT_EQ(filters_of(text_of(filters), table), filters);
  EXPECT_EQ(text_of({}), "");
  EXPECT_EQ(filters_of(text_of({{.column = "gone"}, filters[1]}), table), std::vector{filters[1]});
  for (const char* const broken : {"", "{", "3", "[1]", R"([{"column":3}])", R"([{"low":1}])"})
    EXPECT_TRUE(filters_of(broken, table).empty()) << broken;
}

TEST(Selection, IsAColumnOfTheSavedTable) {
  sim::Dataset data;
  data.points = 3;
  data.table = table_of({texts("selected", {"u", "v", "w"})});
  const sim::Table saved = table_with_selection(data, {0, 2});
  ASSERT_EQ(saved.columns.size(), 2u);
  EXPECT_EQ(saved.rows, 3u);
  EXPECT_EQ(saved.columns[1].name, "selected_");
  EXPECT_EQ(saved.columns[1].numbers, (sim::Numbers{1, 0, 1}));
}

struct Example {
  sim::Table table;
  List selected;
};

// 600 rows, of which about a third are selected: numbers with heavy tails and gaps, whole numbers with many ties, and
// categories, of which the selected rows lack the first.
Example example() {
  std::uint32_t state = 12345;
  const auto next = [&] { return (state = state * 1664525u + 1013904223u) >> 8; };
  Example made;
  std::vector<double> heavy, whole;
  std::vector<std::string> kind, names;
  for (std::uint32_t row = 0; row < 600; ++row) {
    const bool chosen = next() % 3 == 0;
    if (chosen) made.selected.push_back(row);
    const double u = (next() + 1) / 16777217.0, odds = u / (1 - u);
    heavy.push_back(row % 17 == 0 ? (nan) : odds * odds + (chosen ? 0.5 : 0));
    whole.push_back(next() % 7);
    if (chosen && next() % 2 == 0) ++whole.back();
    kind.push_back(std::string(1, "abcde"[std::min(4u, next() % 5 + (chosen ? 1 : 0))]));
    names.push_back("row " + std::to_string(row));
  }
  made.table = table_of({texts("name", names), numbers("whole", whole), numbers("heavy", heavy), texts("kind", kind),
                         numbers("none", std::vector<double>(600, nan))});
  return made;
}

// SciPy 1.17: 2 mannwhitneyu(a, b).statistic / (len(a) len(b)) − 1, and stats.contingency.association(counts,
// method="cramer").
TEST(Differences, HaveTheEffectSizesOfSciPy) {
  const Example made = example();
  std::atomic<std::size_t> done = 0;
  const std::vector<Difference> found = differences(made.table, made.selected, done, {});
  ASSERT_EQ(made.selected.size(), 213u);
  EXPECT_EQ(done, 5u);
  ASSERT_EQ(found.size(), 3u) << "names that all differ, and a column without values, are left out";
  EXPECT_EQ(found[0].column, "kind");
  EXPECT_NEAR(found[0].effect, 0.336418737107268, 1e-14);
  EXPECT_EQ(found[0].category, "e");
  EXPECT_NEAR(found[0].selected_share, 88 / 213.0, 1e-15);
  EXPECT_NEAR(found[0].rest_share, 75 / 387.0, 1e-15);
  EXPECT_EQ(found[1].column, "heavy");
  EXPECT_NEAR(found[1].effect, 0.194649995158993, 1e-14);
  EXPECT_NEAR(found[1].selected_median, 1.29220437633769, 1e-13);
  EXPECT_NEAR(found[1].rest_median, 1.12906641550777, 1e-13);
  EXPECT_EQ(found[2].column, "whole");
  EXPECT_NEAR(found[2].effect, 0.0944547560990403, 1e-14);
  EXPECT_EQ(found[2].selected_bars.size(), 8u) << "a bar for each whole number";
  for (const Difference& one : found)
    for (const auto& bars : {one.selected_bars, one.rest_bars})
      EXPECT_NEAR(std::accumulate(bars.begin(), bars.end(), 0.0), 1, 1e-5) << one.column;
}

TEST(Differences, AreOneWhereTheSelectionIsApart) {
  const sim::Table table = table_of({numbers("a", {1, 2, 3, 4}), texts("b", {"x", "x", "y", "y"})});
  std::atomic<std::size_t> done = 0;
  const std::vector<Difference> found = differences(table, {0, 1}, done, {});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].effect, -1);
  EXPECT_NEAR(found[1].effect, 1, 1e-15);
  EXPECT_TRUE(differences(table, {}, done, {}).empty()) << "there is nothing to compare";
}

}  // namespace
}  // namespace kinescope::app::table_test
