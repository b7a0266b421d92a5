// Columns of ISO dates become numbers of days, and keep what was written.
#include "sim/data/readers/csv/dates.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "kinescope/data/write.hpp"
#include "sim/data/findings.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::dates_test {
namespace {

using Numbers = std::vector<float>;
using Texts = std::vector<std::string>;

Dataset opened(const std::string& bytes, DataRequest request = {}) {
  const TemporaryFolder folder;
  request.source = folder.write("data.csv", bytes);
  return *load_dataset(request);
}

bool says(const Dataset& data, const std::string& sentence) {
  const std::vector<std::string> said = data.findings->sentences();
  return std::find(said.begin(), said.end(), sentence) != said.end();
}

TEST(Dates, ADayIsWrittenAsADate) {
  for (const char* day : {"1970-01-01", "1969-12-31", "2000-02-29", "2024-03-01"})
    EXPECT_EQ(date_text(*days_to(day)), day);
  EXPECT_EQ(date_text(*days_to("2024-03-01T23:59")), "2024-03-01");
  EXPECT_EQ(date_text(*days_to("1969-12-31T00:01")), "1969-12-31");
}

TEST(Dates, AreDaysSince1970) {
  EXPECT_EQ(days_to("1970-01-01"), 0);
  EXPECT_EQ(days_to("1969-12-31"), -1);
  EXPECT_EQ(days_to("2000-02-29"), 11016);
  EXPECT_EQ(days_to("2024-03-01"), 19783);
  EXPECT_EQ(days_to("2024-03-01T12:00"), 19783.5);
  EXPECT_EQ(days_to("2024-03-01 06:00:00"), 19783.25);
  EXPECT_EQ(days_to("2024-03-01T12:00:00Z"), 19783.5);
  EXPECT_EQ(days_to("2024-03-01T12:00:00+06:00"), 19783.25);
  EXPECT_EQ(days_to("2024-03-01T12:00:00-0600"), 19783.75);
  EXPECT_EQ(days_to("2024-03-01T12:00+06"), 19783.25);
  EXPECT_NEAR(*days_to("1970-01-01T00:00:01.5"), 1.5 / 86400, 1e-12);
}

TEST(Dates, AreNotWhatNoCalendarHasAndOtherTexts) {
  for (const char* text : {"",
                           "2024",
                           "2024-03",
                           "2024-3-1",
                           "24-03-01",
                           "2023-02-29",
                           "2024-13-01",
                           "2024-00-10",
                           "2024-03-00",
                           "2024-03-32",
                           "-024-03-01",
                           "2024--3-01",
                           "2024-03-01x",
                           "2024-03-01T",
                           "2024-03-01T1:00",
                           "2024-03-01T24:00",
                           "2024-03-01T12:60",
                           "2024-03-01T12:00:61",
                           "2024-03-01T12:00+",
                           "2024-03-01T12:00+2",
                           "2024-03-01T12:00Zz",
                           "2024/03/01",
                           "01.03.2024",
                           " 2024-03-01",
                           "12345678-01"})
    EXPECT_FALSE(days_to(text).has_value()) << text;
}

TEST(Dates, AColumnOfThemIsOneOfNumbersThatKeepsItsTexts) {
  const std::string bytes = "day,x\n2024-03-01,1\n,2\n2024-02-28,3\n";
  const Table table = read_bytes(bytes);
  ASSERT_FALSE(table.columns[0].is_text);
  EXPECT_EQ(table.columns[0].numbers[0], 19783);
  EXPECT_TRUE(std::isnan(table.columns[0].numbers[1]));
  EXPECT_EQ(table.columns[0].numbers[2], 19781);
  EXPECT_EQ(table.columns[0].texts, (Texts{"2024-03-01", "", "2024-02-28"}));
  EXPECT_TRUE(holds_dates(table.columns[0]));
  EXPECT_FALSE(holds_dates(table.columns[1]));
  const TemporaryFolder folder;
  write_table(folder.path("again.csv"), table);
  EXPECT_EQ(bytes_of(folder.path("again.csv")), bytes);
}

TEST(Dates, KeepTheirSeconds) {
  const Table table = read_bytes("at,x\n2024-03-02T00:00:01,1\n2024-03-01T12:30:00Z,2\n2024-03-03 06:00,3\n");
  const std::vector<double> expected = {19784 + 1 / 86400.0, 19783 + 12.5 / 24, 19785.25};
  for (std::size_t row = 0; row < 3; ++row) EXPECT_NEAR(table.columns[0].numbers[row], expected[row], 1e-10);
}

TEST(Dates, OneOtherTextLeavesThemTexts) {
  EXPECT_TRUE(read_bytes("day,x\n2024-03-01,1\n2024-02-30,2\n").columns[0].is_text);
  EXPECT_TRUE(read_bytes("day,x\n2024-03-01,1\nsoon,2\n").columns[0].is_text);
}

TEST(Dates, AreBelowAHeaderOrWithoutOne) {
  EXPECT_EQ(read_bytes("2024-03-01,5\n2024-03-02,7\n").rows, 2u);
  EXPECT_EQ(read_bytes("2024-03-01\n2024-03-02\n").columns[0].numbers, (Numbers{19783, 19784}));
  const Table alone = read_bytes("day\n2024-03-01\n2024-03-02\n");
  EXPECT_EQ(alone.rows, 2u);
  EXPECT_EQ(alone.header_reason, "'day' stands above dates");
  const Table two = read_bytes("day,kind\n2024-03-01,a\n2024-03-02,b\n");
  EXPECT_EQ(two.columns[1].name, "kind");
  const TemporaryFolder folder;
  const Table no = load_table({.source = folder.write("t.csv", "day,x\n2024-03-01,1\n"), .format = {Header::no, 0}});
  EXPECT_TRUE(no.columns[0].is_text);
}

TEST(Dates, AreUsedInDistancesAndNeitherCountersNorCategories) {
  std::string bytes = "day,x\n";
  for (int row = 10; row < 28; ++row)
    bytes += "2024-03-" + std::to_string(row) + "," + std::to_string(row * row % 97) + "\n";
  const Dataset data = opened(bytes);
  EXPECT_EQ(data.dimensions, 2u);
  EXPECT_EQ(data.origin_of(0) + data.value(0, 0), 19783 + 9);
  EXPECT_EQ(data.label_name, "");
  EXPECT_EQ(data.findings->columns[0].kind, ColumnKind::dates);
  EXPECT_TRUE(says(data, "'day' is a date: days since 1970-01-01"));
  for (const Suggestion& each : data.findings->suggestions)
    EXPECT_EQ(each.kind, Suggestion::Kind::standardize) << each.sentence;
  // A missing date is a missing number.
  EXPECT_EQ(opened("day,x\n2024-03-01,1\n,2\n2024-03-05,4\n").rows_left_out, std::vector<std::size_t>{3});
  // Equal dates are reported as equal numbers are.
  EXPECT_TRUE(says(opened("day,x\n2024-03-01,1\n2024-03-01,4\n"), "'day' is the same in all rows"));
}

TEST(Dates, AsALabelAreShownAsWritten) {
  DataRequest request;
  request.label = "day";
  const Dataset data = opened("day,x\n2024-03-05,1\n2024-03-01,2\n2024-03-05,4\n", request);
  EXPECT_EQ(data.label_names, (Texts{"2024-03-01", "2024-03-05"}));
}

TEST(Dates, AnotherTextAmongThemMakesAColumnOfTexts) {
  std::string bytes = "day,x\n";
  for (int day = 1; day <= 20; ++day)
    bytes += "2024-03-" + std::string(day < 10 ? "0" : "") + std::to_string(day) + ",1\n";
  const std::string good = bytes;
  bytes.replace(bytes.find("2024-03-07"), 10, "2024-13-07");
  const Table texts = read_bytes(bytes);
  EXPECT_TRUE(texts.columns[0].is_text);
  EXPECT_EQ(texts.columns[0].texts[6], "2024-13-07");
  EXPECT_EQ(texts.remarks, Texts{"'day' was read as text because of '2024-13-07' in line 8; `--numbers day` reads its "
                                 "19 dates"});
  const TemporaryFolder folder;
  const Table days = load_table({.source = folder.write("t.csv", bytes), .format = {.numbers = {"day"}}});
  EXPECT_FALSE(days.columns[0].is_text);
  EXPECT_TRUE(std::isnan(days.columns[0].numbers[6]));
  EXPECT_EQ(days.columns[0].numbers[7], 1.0f + read_bytes(good).columns[0].numbers[6]);
  EXPECT_EQ(days.remarks, Texts{"'day' was read as numbers: its dates are days, 1 other value is missing"});
  // If there are as many other texts as dates, nothing is said.
  EXPECT_TRUE(read_bytes("day,x\n2024-01-01,1\nlater,2\n2024-01-02,3\nnever,4\n").remarks.empty());
}

}  // namespace
}  // namespace kinescope::sim::dates_test
