// Tables that are read in slabs by several threads, and rows of plain numbers, which are read without cells.
#include "sim/data/readers/csv/csv_slabs.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/executors/cpu.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv/csv_header.hpp"
#include "sim/data/readers/csv/csv_records.hpp"
#include "sim/data/text.hpp"
#include "sim/data/text_reading.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::csv_slabs_test {
namespace {

using Numbers = std::vector<float>;
using Lines = std::vector<std::size_t>;

TEST(CsvSlabs, PlainRowsMixWithOthers) {
  const std::string text =
      "a,b,c\n1,2,3\n,5,6\n7,,9\n10,11,\n\"13\",14,15\n # 1,2,3\n 16 ,\t17, 18\r\n\r\n19,nan,21\r-22,+23,2.4e1\n"
      "#x\n25,26,9007199254740993\n27,28,29";
  const Table table = read_bytes(text);
  const std::vector<std::vector<double>> rows = {{1, 2, 3},     {NAN, 5, 6},   {7, NAN, 9},
                                                 {10, 11, NAN}, {13, 14, 15},  {16, 17, 18},
                                                 {19, NAN, 21}, {-22, 23, 24}, {25, 26, 9007199254740992},
                                                 {27, 28, 29}};
  ASSERT_EQ(table.rows, rows.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t c = 0; c < 3; ++c) {
      const double found = table.columns[c].numbers[row];
      EXPECT_TRUE(found == rows[row][c] || (std::isnan(found) && std::isnan(rows[row][c]))) << row << ", " << c;
    }
  EXPECT_EQ(table.row_lines, (Lines{2, 3, 4, 5, 6, 8, 10, 11, 13, 14}));
  EXPECT_EQ(table.columns[2].texts[8], "9007199254740993") << "its digits are kept";
  EXPECT_EQ(message_of_reading("a,b\n1,2\n3\n"), "data.csv:3: expected 2 columns, found 1; `--skip-lines 3` skips it");
  EXPECT_EQ(message_of_reading("a,b\n1,2\n3,4,5\n6,7\n"), "data.csv:3: expected 2 columns, found 3");
}

TEST(CsvSlabs, PlainRowsBetweenBlanks) {
  const Table table = read_bytes("  1  2\t3\n4 5 6  \n 7\t\t8 9\n1e1 -.5 5.\n");
  EXPECT_EQ(table.columns[0].numbers, (Numbers{1, 4, 7, 10}));
  EXPECT_EQ(table.columns[1].numbers, (Numbers{2, 5, 8, -0.5f}));
  EXPECT_EQ(table.columns[2].numbers, (Numbers{3, 6, 9, 5}));
}

TEST(CsvSlabs, SlabsEndWithRecords) {
  bool in_quotes = false;
  const auto end = [&](std::string_view text, char separator = ',') {
    return end_of_records(text, {separator}, in_quotes);
  };
  EXPECT_EQ(end("1,2\n3,4\n5"), 8u);
  EXPECT_EQ(end("1,2\r\n3,4\r"), 5u);  // a '\n' may follow
  EXPECT_EQ(end("1,2"), 0u);
  EXPECT_EQ(end("1,\"a\nb\"\n2,c\nd"), 12u);
  EXPECT_EQ(end("1,a\n2, \"b\nc"), 4u);
  EXPECT_TRUE(in_quotes);
  EXPECT_EQ(end("1,a\n2,\"b\""), 4u);  // the quote may be doubled
  EXPECT_EQ(end("1,a\"b\n2,c\nd"), 10u);
  EXPECT_FALSE(in_quotes);
  EXPECT_EQ(end("1,\"a\"\"\nb\"\n2"), 10u);
  EXPECT_EQ(end("# a \"b\n1,2\n3"), 11u);
  EXPECT_EQ(end("1\n #,\"b\n1,2\n3"), 12u);
  EXPECT_EQ(end("1 \"a\nb\"\n2", ' '), 8u);
  EXPECT_EQ(end("1\t\"a\nb\"\n2", '\t'), 8u);
  EXPECT_EQ(end("1 \"a\nb\"\n2", ','), 8u);
}

// A text of many slabs, with everything on which they must agree: quoted line ends, line numbers and comments, a column
// that turns out late to need its texts, texts in a column of numbers.
std::string many_slabs(std::size_t rows) {
  std::string text = "id,x,name,late\n";
  for (std::size_t row = 0; row < rows; ++row) {
    text += std::to_string(row) + "," + (row == rows - 100 ? "abc" : "0." + std::to_string(row * 7919 % 100003)) + ",";
    text += row % 7 ? "plain \"name" : "\"two\nlines, and \"\"quotes\"\"\"";
    text += "," + std::to_string(row == rows / 2 ? 9007199254740993 : row % 1000) + "\n";
    if (row % 1000 == 999) text += "# a comment with one \"\n\n";
  }
  return text;
}

TEST(CsvSlabs, SlabsMakeOneTableOnAnyNumberOfThreads) {
  constexpr std::size_t rows = 120'000;
  const TemporaryFolder folder;
  const std::string bytes = many_slabs(rows);
  ASSERT_GT(bytes.size(), 3u << 20);
  const std::string plain = folder.write("a.csv", bytes), packed = folder.write("a.csv.gz", gzip(bytes));
  for (const int threads : {1, 2, 7}) {
    const auto limit = limit_threads(threads);
    const Table table = load_table({threads == 2 ? packed : plain});
    ASSERT_EQ(table.rows, rows);
    std::size_t line = 2;
    for (std::size_t row = 0; row < rows; ++row) {
      ASSERT_EQ(table.row_lines[row], line) << row;
      line += row % 7 ? 1 : 2;
      if (row % 1000 == 999) line += 2;
      ASSERT_EQ(table.columns[0].numbers[row], static_cast<float>(row));
      ASSERT_EQ(table.columns[2].texts[row], row % 7 ? "plain \"name" : "two\nlines, and \"quotes\"");
      ASSERT_EQ(table.columns[3].texts[row], std::to_string(row == rows / 2 ? 9007199254740993 : row % 1000));
    }
    ASSERT_TRUE(table.columns[1].is_text);
    EXPECT_EQ(table.columns[1].texts[rows - 100], "abc");
    ASSERT_EQ(table.remarks.size(), 2u);
    EXPECT_EQ(table.remarks[0], "119 lines begin with # and stand among the rows; are these several tables?");
    EXPECT_NE(table.remarks[1].find("'abc' in line " + with_commas(table.row_lines[rows - 100])), std::string::npos);
  }
}

TEST(CsvSlabs, TheFirstErrorIsToldWhicheverThreadMeetsOneFirst) {
  std::string bytes = many_slabs(120'000);
  const auto insert = [&](const std::string& before, const std::string& line) {
    const std::size_t at = bytes.find("\n" + before + ",") + 1;
    bytes.insert(at, line);
    return std::to_string(2 + count_line_ends(std::string_view(bytes).substr(0, at)) - 1);
  };
  insert("110007", "1,2,3\n");
  const std::string line = insert("80007", "7,8\n");
  for (int trial = 0; trial < 5; ++trial)
    EXPECT_EQ(message_of_reading(bytes), "data.csv:" + line + ": expected 4 columns, found 2");
}

// The text is cut wherever the buffer happens to end: every kind of cut must give the same table.
TEST(CsvSlabs, BufferEdgesDoNotShow) {
  for (std::size_t shift = 0; shift < 24; ++shift) {
    std::string text = "x,t\r\n";
    text += "1," + std::string((1 << 20) - 16 - shift, 'a') + "\r\n";
    text += "2,\"b\"\"\r\nc\"\r\n# comment\r\n\r\n3,d\r\n";
    const Table table = read_bytes(text);
    ASSERT_EQ(table.rows, 3u) << shift;
    EXPECT_EQ(table.columns[0].numbers, (Numbers{1, 2, 3})) << shift;
    EXPECT_EQ(table.columns[1].texts[0].size(), (1u << 20) - 16 - shift);
    EXPECT_EQ(table.columns[1].texts[1], "b\"\r\nc") << shift;
    EXPECT_EQ(table.columns[1].texts[2], "d") << shift;
    EXPECT_EQ(table.row_lines, (Lines{2, 3, 7})) << shift;
  }
}

}  // namespace
}  // namespace kinescope::sim::csv_slabs_test
