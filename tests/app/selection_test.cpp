// The table that is written when selected rows are saved.
#include "app/scenes/points/selection.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace kinescope::app::selection_test {
namespace {

using Texts = std::vector<std::string>;

TEST(Selection, NamesTheLineOfEachRowIfTheFileHasLines) {
  sim::Dataset data;
  data.table.rows = 3;
  data.table.columns = {{"a", false, {5, 6, 7}, {}}};
  data.table.row_lines = {2, 6, 8};  // rows were left out
  const sim::Table saved = rows_of(data, {1, 2});
  ASSERT_EQ(saved.columns.size(), 3u);
  EXPECT_EQ(saved.columns[0].name, "row");
  EXPECT_EQ(saved.columns[0].texts, (Texts{"2", "3"}));
  EXPECT_EQ(saved.columns[1].name, "line");
  EXPECT_EQ(saved.columns[1].texts, (Texts{"6", "8"}));
  EXPECT_EQ(saved.columns[2].numbers, (sim::Numbers{6, 7}));
}

TEST(Selection, HasNoLinesOfAFileWithoutAndKeepsTheNamesOfTheData) {
  sim::Dataset data;
  data.table.rows = 2;
  data.table.columns = {{"row", false, {5, 6}, {}}};
  const sim::Table saved = rows_of(data, {1});
  ASSERT_EQ(saved.columns.size(), 2u);
  EXPECT_EQ(saved.columns[0].name, "row_");
  EXPECT_EQ(saved.columns[0].texts, Texts{"2"});
  EXPECT_EQ(saved.columns[1].name, "row");
}

}  // namespace
}  // namespace kinescope::app::selection_test
