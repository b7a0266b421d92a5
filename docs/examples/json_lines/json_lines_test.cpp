// The format of docs/adding-an-output.md: the program writes it wherever it writes tables, and reads the same back.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "kinescope/data/load.hpp"
#include "kinescope/data/pictures.hpp"
#include "kinescope/data/table_writer.hpp"
#include "kinescope/data/write.hpp"
#include "sim/springs/springs.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::json_lines_test {
namespace {

constexpr float none = std::numeric_limits<float>::quiet_NaN();

TEST(JsonLines, HasALineForEachRow) {
  const TemporaryFolder folder;
  Table table;
  table.rows = 3;
  table.columns.push_back({"x", false, {1, none, std::numeric_limits<float>::infinity()}, {}});
  table.columns.push_back({"say \"y\"", true, {}, {"a,b", "", "line\nend"}});
  write_table(folder.path("out.jsonl"), table);
  EXPECT_EQ(bytes_of(folder.path("out.jsonl")),
            "{\"x\": 1, \"say \\\"y\\\"\": \"a,b\"}\n"
            "{\"x\": null, \"say \\\"y\\\"\": null}\n"
            "{\"x\": null, \"say \\\"y\\\"\": \"line\\nend\"}\n");
}

TEST(JsonLines, ReadsBackAsItWas) {
  const TemporaryFolder folder;
  Table written;
  written.rows = 4;
  written.columns.push_back({"x", false, {0.1f, none, -1e-30f, 16777216}, {}});
  written.columns.push_back({"name", true, {}, {"plain", "", "\"quoted\"", "tab\tand ü"}});
  write_table(folder.path("out.jsonl"), written);
  const Table read = load_table({folder.path("out.jsonl")});
  ASSERT_EQ(read.columns.size(), 2u);
  ASSERT_EQ(read.rows, written.rows);
  EXPECT_EQ(read.columns[1].texts, written.columns[1].texts);
  for (std::size_t row = 0; row < read.rows; ++row) {
    const auto number = [&](const Table& table) { return static_cast<float>(table.columns[0].numbers[row]); };
    EXPECT_EQ(std::isnan(number(read)), row == 1);
    if (row != 1) EXPECT_EQ(number(read), number(written));
  }
}

TEST(JsonLines, IsOfferedForWhateverIsATable) {
  const std::vector<std::string> all = {".csv", ".jsonl", ".npy"};
  EXPECT_EQ(springs_kind().outputs.front().endings, all);
  EXPECT_EQ(palette_output().endings, (std::vector<std::string>{".csv", ".jsonl"})) << "colours are texts";
  const TemporaryFolder folder;
  EXPECT_EQ(input_message([&] { write_table(folder.path("out.txt"), Table()); }),
            folder.path("out.txt") + ": expected a name that ends in .csv or .jsonl or .npy");
}

}  // namespace
}  // namespace kinescope::sim::json_lines_test
