// Numbers written in other ways: with decimal commas, signs, units, groups of three.
#include "sim/data/unread.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "sim/data/choose.hpp"
#include "sim/data/readers/csv/csv_header.hpp"
#include "sim/data/readers/csv/dialect.hpp"
#include "tests/sim/data/opening.hpp"
#include "tests/sim/data/table_shapes.hpp"

namespace kinescope::sim::opening_cases::unread_test {
namespace {

using namespace kinescope::tests;  // the shapes

TEST(DecimalCommas, OfFilesSeparatedOtherwise) {
  for (const std::string bytes : {"1,5;2,5\n3,5;-4,25\n", "a;b\n1,5;2,5\n3,5;-4,25\n", "1,5\t2,5\n3,5\t-4,25\n",
                                  "1,5 2,5\n3,5  -4,25 \n", "\"1,5\";\"2,5\"\n\"3,5\";\"-4,25\"\n"}) {
    const Table table = read_bytes(bytes);
    ASSERT_EQ(table.columns.size(), 2u) << bytes;
    ASSERT_EQ(table.rows, 2u) << bytes;
    EXPECT_EQ(table.columns[1].numbers, (std::vector<float>{2.5f, -4.25f})) << bytes;
  }
  // The first decimal comma comes after many whole numbers.
  std::string late = "a;b\n";
  for (int row = 0; row < 40; ++row) late += "1;2\n";
  EXPECT_EQ(read_bytes(late + "1,5;2\n").columns[0].numbers.back(), 1.5f);
  EXPECT_EQ(read_bytes("1,5\n2,5\n").columns.size(), 2u);  // commas alone separate
}

TEST(DecimalCommas, NumbersWithSignsAreNamedAndStayText) {
  const auto unread = [](const std::string& bytes) {
    const auto data = open(bytes, {}, "t.csv");
    std::string said;
    for (const ColumnFinding& each : data->findings->columns)
      if (!each.unread.empty()) said += each.name + ": " + each.unread + "; ";
    return said;
  };
  const auto data = open("x,people\n1,\"1,000\"\n2,\"12,345\"\n5,\"7,100\"\n", {}, "t.csv");
  EXPECT_EQ(data->findings->columns[1].use, ColumnUse::annotation);
  EXPECT_EQ(data->findings->sentences().back(),
            "'people' was read as text because of '1,000'; `--numbers people` reads its numbers");
  EXPECT_EQ(open("x,\"pe\no'\"\n1,\"1,000\"\n2,\"12,345\"\n5,\"7,100\"\n", {}, "t.csv")->findings->sentences().back(),
            "'pe o'' was read as text because of '1,000'; `--numbers $'pe\\012o\\''` reads its numbers");
  EXPECT_EQ(unread("x;area\n1;5.581,67\n2;12.345,5\n5;1.071,25\n"), "area: 5.581,67; ");
  EXPECT_EQ(unread("x,share,price\n1,12%,$5\n2,3 %,$7.25\n5,8%,$9\n"), "share: 12%; price: $5; ");
  EXPECT_EQ(unread("x,price\n1,5 \u20AC\n2,7 \u20AC\n"), "price: 5 \u20AC; ");
  EXPECT_EQ(unread("x,code,day\n1,A5,2020-01-02\n2,-,2020-01-03\n"), "");
  EXPECT_EQ(unread("x,height\n1,158 cm\n2,\n3,161.5 cm\n"), "height: 158 cm; ");
}

TEST(UnreadNumbers, HaveSignsUnitsOrGroupsOfThree) {
  const auto unread = [](const std::vector<std::string>& texts) {
    return unread_number({.name = "x", .is_text = true, .texts = texts});
  };
  EXPECT_EQ(unread({"46%", "", "5%"}), "46%");
  EXPECT_EQ(unread({"1,234,567", "900"}), "1,234,567");
  EXPECT_EQ(unread({"900", "1,234,567"}), "1,234,567");
  EXPECT_EQ(unread({"$5", "$1,000.50", "-$3"}), "$5");
  EXPECT_EQ(unread({"158 cm", "161.5 cm"}), "158 cm");
  EXPECT_EQ(unread({"36.6\u00B0C", "37\u00B0C"}), "36.6\u00B0C");
  EXPECT_EQ(unread({"12 km/h", "1,200 km/h"}), "12 km/h");
  EXPECT_EQ(unread({"1\u202F000", "20\u202F000"}), "1\u202F000");
  EXPECT_EQ(unread({"5", "\u22127.5", "\u22121,000"}), "\u22127.5");
  EXPECT_EQ(unread({"20", "(51)", "(1,200)", "($7)"}), "(51)");
  for (const std::vector<std::string>& texts : std::vector<std::vector<std::string>>{{},
                                                                                     {"", ""},
                                                                                     {"5", "7"},
                                                                                     {"12a", "14"},
                                                                                     {"12a", "14b"},
                                                                                     {"158 cm", "tall"},
                                                                                     {"46%", "A5"},
                                                                                     {"A5", "A6"},
                                                                                     {"A/5 2109", "113803"},
                                                                                     {"%", "$"},
                                                                                     {"pear", "apple"},
                                                                                     {"12:30", "12:45"},
                                                                                     {"10x20 cm", "30x40 cm"},
                                                                                     {"()", "(5)"},
                                                                                     {"(a)", "(b)"}})
    EXPECT_EQ(unread(texts), "") << testing::PrintToString(texts);
}

TEST(UnreadNumbers, AreNotTheListsOfLabelsBesideSparseRows) {
  Table table{.source = "t", .format = "", .columns = {{"label", true, {}, {"1,3", "2"}}, {"x", false, {1, 2}, {}}}};
  table.rows = 2;
  EXPECT_EQ(choose(table, {}).unread, (Names{"1,3", ""}));
  table.sparse = std::make_shared<const SparseRows>();
  EXPECT_EQ(choose(table, {}).unread, (Names{"", ""}));
}

TEST(UnreadNumbers, AreNeverUsedAsCategoriesUnasked) {
  const std::string alone = "share,price\n46%,$5\n5%,$5\n46%,$7\n";
  EXPECT_EQ(message_of_reading(alone),
            "data.csv: no column has numbers from which distances can be computed; 'share' was read as text because of "
            "'46%'; `--numbers share` reads its numbers");
  EXPECT_EQ(open("x,people\n1,900\n2,\"1,234\"\n")->value_names, Names{"x"});
  // In a table that also has real categories.
  const auto data = open("share,mood,sex\n46%,good,f\n5%,bad,m\n46%,bad,f\n5%,good,m\n", {}, "t.csv");
  EXPECT_EQ(of_use(*data->findings, ColumnUse::distances), Names{"mood"});
  EXPECT_EQ(data->label_name, "sex");
  // They are not suggested as categories either.
  const auto numbers = open("x,share\n1,46%\n2,5%\n4,46%\n", {}, "t.csv");
  EXPECT_TRUE(kinds(*numbers->findings).empty());
  EXPECT_EQ(numbers->label_name, "");
  DataRequest asked;
  asked.columns = {"share"};
  EXPECT_EQ(open(alone, asked)->dimensions, 2u);
  asked.columns = {"height"};
  EXPECT_EQ(message_of_reading("x,height\n1,158 cm\n2,161 cm\n", "data.csv", asked),
            "data.csv: column 'height' is text and cannot be used for distances; 'height' was read as text because of "
            "'158 cm'; `--numbers height` reads its numbers");
}

TEST(UnreadNumbers, MayBeBalancesOfAccountants) {
  // A column of balances, some of them negative as accountants write them.
  std::string balances = "x,balance\n";
  for (int row = 0; row < 60; ++row)
    balances += "1," + std::string(row % 3 ? "7" : "(" + std::to_string(row) + ")") + "\n";
  EXPECT_EQ(open(balances, {}, "t.csv")->findings->columns[1].unread, "(0)");
}

TEST(UnreadDates, AreToldWithHowTheyAreRead) {
  const auto unread = [](const std::vector<std::string>& texts) {
    return unread_date({.name = "x", .is_text = true, .texts = texts});
  };
  EXPECT_EQ(unread({"31.12.2023", "", "1.2.2024"}), "31.12.2023");
  EXPECT_EQ(unread({"12/31/2023", "1/02/2024"}), "12/31/2023");
  EXPECT_EQ(unread({"2023/12/31", "2024/01/02"}), "2023/12/31");
  EXPECT_EQ(unread({"31-12-2023", "01-01-2024"}), "31-12-2023");
  EXPECT_EQ(unread({"31.12.2023 12:30", "01.01.2024 8:05:10"}), "31.12.2023 12:30");
  for (const std::vector<std::string>& texts : std::vector<std::vector<std::string>>{{},
                                                                                     {"", ""},
                                                                                     {"31.12.2023", "soon"},
                                                                                     {"31.13.2023"},
                                                                                     {"32.12.2023"},
                                                                                     {"0.12.2023"},
                                                                                     {"31.12/2023"},
                                                                                     {"31.12.23"},
                                                                                     {"1.2.3"},
                                                                                     {"192.168.0.1"},
                                                                                     {"31.12.20234"},
                                                                                     {"31.12.2023 at noon"},
                                                                                     {"2023-12-31"},
                                                                                     {"555-12-2023"}})
    EXPECT_EQ(unread(texts), "") << testing::PrintToString(texts);
  const auto data = open("day,x\n31.12.2023,1\n01.01.2024,2\n01.01.2024,5\n", {}, "t.csv");
  EXPECT_EQ(data->findings->sentences().back(),
            "'day' was read as text because of '31.12.2023': write its dates like 2023-12-31");
  EXPECT_EQ(data->label_name, "");  // as ISO dates, they are no categories
  EXPECT_EQ(data->dimensions, 1u);
}

TEST(Dashes, AreMissingValuesWhereAllElseIsNumbersOrDates) {
  for (const std::string& bytes :
       {std::string("a,b\n-,3\n1,2\n4,-\n5,6\n"), std::string("a,b\n1,3\n-,2\n4,-\n5,6\n")}) {
    const auto data = open(bytes, {}, "t.csv");
    EXPECT_EQ(data->dimensions, 2u);
    EXPECT_EQ(data->rows_left_out.size(), 2u);
    EXPECT_EQ(data->values()[data->values().size() - 1], 6);
    EXPECT_EQ(open(bytes, {.missing = Missing::mean}, "t.csv")->points, 4u);
  }
  for (const std::string dash : {"--", "\u2013", "\u2014"}) {
    const auto data = open("a,b\n" + dash + ",3\n1,2\n-,4\n5,6\n", {}, "t.csv");
    EXPECT_EQ(data->dimensions, 2u) << dash;
    EXPECT_EQ(data->points, 2u) << dash;
    EXPECT_EQ(open("day,x\n2024-03-01,1\n" + dash + ",2\n-,3\n2024-03-05,4\n2024-03-07,9\n2024-03-08,5\n", {}, "t.csv")
                  ->points,
              4u)
        << dash;
  }
  const auto days = open("day,x\n2024-03-01,1\n-,2\n2024-03-05,4\n", {}, "t.csv");
  EXPECT_EQ(days->rows_left_out, std::vector<std::size_t>{3});
  const TemporaryFolder folder;
  for (const char* bytes : {"1,2\n-,3\n4,5\n", "-,2\n1,3\n4,5\n"}) {
    const Column column = load_table({.source = folder.write("t.csv", bytes), .format = {Header::no, 0}}).columns[0];
    EXPECT_FALSE(column.is_text) << bytes;
    EXPECT_EQ(std::count_if(column.numbers.begin(), column.numbers.end(), [](float x) { return std::isnan(x); }), 1);
  }
  // Texts stay as they are, and so do dashes beside them.
  const auto texts = open("code,x\nA5,1\n-,2\nB6,3\n-,7\n", {}, "t.csv");
  EXPECT_EQ(texts->table.columns[0].texts, (Names{"A5", "-", "B6", "-"}));
  EXPECT_EQ(texts->points, 4u);
  EXPECT_EQ(read_bytes("x,y\n1,2\n-,3\n4,5\noops,6\n").columns[0].texts, (Names{"1", "-", "4", "oops"}));
}

TEST(Blanks, SeparateNumbersAlone) {
  EXPECT_EQ(weigh_dialects("1 2\n3 4\n").best.dialect.separator, ' ');
  EXPECT_EQ(weigh_dialects(" 1   2\t3 \n3 4 ?\n").best.dialect.separator, ' ');
  EXPECT_EQ(weigh_dialects("hello world\ngood day\n").best.dialect.separator, ',');
  EXPECT_EQ(weigh_dialects("1 2\n3 4 5\n").best.dialect.separator, ',');
  const Table table = read_bytes("  x   y \n 1  2\n\t3\t4  \n", "t.txt");
  EXPECT_EQ(table.columns[1].name, "y");
  EXPECT_EQ(table.columns[1].numbers, (std::vector<float>{2, 4}));
}

}  // namespace
}  // namespace kinescope::sim::opening_cases::unread_test
