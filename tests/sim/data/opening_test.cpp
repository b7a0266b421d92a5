// Files as people have them, opened unattended: header, types, label, rows left out, suggestions.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "sim/data/choose.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/load.hpp"
#include "sim/data/readers/csv.hpp"
#include "sim/data/readers/dialect.hpp"
#include "sim/data/text.hpp"
#include "sim/data/unread.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/table_shapes.hpp"

namespace kinescope::sim::opening_cases {
namespace {

using namespace kinescope::tests;  // the shapes
using Names = std::vector<std::string>;
using Kind = Suggestion::Kind;

std::shared_ptr<const Dataset> open(const std::string& bytes, const DataRequest& request = {},
                                    const std::string& name = "table.data") {
  const TemporaryFolder folder;
  DataRequest whole = request;
  whole.source = folder.write(name, bytes);
  return load_dataset(whole);
}

Names of_use(const Findings& findings, ColumnUse use) {
  Names names;
  for (const ColumnFinding& column : findings.columns)
    if (column.use == use) names.push_back(column.name);
  return names;
}

std::vector<Kind> kinds(const Findings& findings) {
  std::vector<Kind> found;
  for (const Suggestion& suggestion : findings.suggestions) found.push_back(suggestion.kind);
  return found;
}

const Suggestion& of_kind(const Findings& findings, Kind kind) {
  const auto found = std::find_if(findings.suggestions.begin(), findings.suggestions.end(),
                                  [&](const Suggestion& each) { return each.kind == kind; });
  if (found == findings.suggestions.end()) throw std::runtime_error("no such suggestion");
  return *found;
}

Names numbered(std::size_t from, std::size_t to) {
  Names names;
  for (std::size_t i = from; i <= to; ++i) names.push_back(numbered_name(i));
  return names;
}

TEST(Opening, Abalone) {
  const auto data = open(abalone());
  const Findings& findings = *data->findings;
  EXPECT_EQ(data->points, 4177u);
  EXPECT_FALSE(findings.has_header);
  EXPECT_EQ(of_use(findings, ColumnUse::distances), numbered(1, 8));
  EXPECT_EQ(findings.columns[0].kind, ColumnKind::categories);
  EXPECT_EQ(findings.columns[8].kind, ColumnKind::integers);
  EXPECT_EQ(data->label_name, "c0");
  EXPECT_EQ(data->label_names, (Names{"F", "I", "M"}));
  EXPECT_EQ(data->label_names[data->labels[0]], "M");  // the first row is there
  EXPECT_TRUE(data->rows_left_out.empty());
  EXPECT_EQ(kinds(findings), std::vector{Kind::standardize});
  EXPECT_EQ(findings.suggestions[0].columns, Names{"c8"});
  EXPECT_EQ(findings.suggestions[0].option, "--set normalize=zscore");
}

TEST(Opening, Iris) {
  const auto data = open(iris());
  EXPECT_EQ(data->points, 150u);
  EXPECT_FALSE(data->findings->has_header);
  EXPECT_EQ(of_use(*data->findings, ColumnUse::distances), numbered(0, 3));
  EXPECT_EQ(data->label_name, "c4");
  EXPECT_EQ(data->label_names, (Names{"Iris-setosa", "Iris-versicolor", "Iris-virginica"}));
  EXPECT_TRUE(data->findings->suggestions.empty());
}

TEST(Opening, Sonar) {
  const auto data = open(sonar());
  EXPECT_EQ(data->points, 208u);
  EXPECT_FALSE(data->findings->has_header);
  EXPECT_EQ(data->dimensions, 60u);
  EXPECT_EQ(data->label_name, "c60");
  EXPECT_EQ(data->label_names, (Names{"M", "R"}));
  EXPECT_TRUE(data->findings->suggestions.empty());
}

TEST(Opening, Ionosphere) {
  const auto data = open(ionosphere());
  EXPECT_EQ(data->points, 351u);
  EXPECT_FALSE(data->findings->has_header);
  EXPECT_EQ(data->dimensions, 34u);
  EXPECT_TRUE(data->findings->columns[1].constant);
  EXPECT_FALSE(data->findings->columns[0].constant);
  EXPECT_EQ(data->label_name, "c34");
  EXPECT_EQ(data->label_names, (Names{"b", "g"}));
  EXPECT_TRUE(data->findings->suggestions.empty());
}

TEST(Opening, BreastCancer) {
  const auto data = open(breast_cancer());
  const Findings& findings = *data->findings;
  EXPECT_EQ(data->points, 286u);
  EXPECT_FALSE(findings.has_header);
  EXPECT_EQ(of_use(findings, ColumnUse::distances), Names{"c6"});
  EXPECT_EQ(data->label_name, "c9");
  EXPECT_EQ(kinds(findings), std::vector{Kind::use_categories});
  // A click later the categories take part: rows that differ in one are 1 apart.
  const DataRequest then = apply(findings.suggestions[0], {});
  const auto whole = open(breast_cancer(), then);
  EXPECT_EQ(of_use(*whole->findings, ColumnUse::distances), numbered(0, 8));
  EXPECT_EQ(whole->rows_left_out.size(), 9u);  // eight without c5, one without c8
  EXPECT_EQ(whole->value_names[0], "c0=no-recurrence-events");
  EXPECT_EQ(kinds(*whole->findings),
            std::vector{Kind::fill_missing});  // two of nine columns are more than 3 % of the rows
}

TEST(Opening, CategoriesOnly) {
  const auto data = open(categories_only());
  const Findings& findings = *data->findings;
  EXPECT_EQ(data->findings->rows, 286u);
  EXPECT_FALSE(findings.has_header);
  EXPECT_EQ(data->label_name, "c8");
  EXPECT_EQ(of_use(findings, ColumnUse::distances), numbered(0, 7));
  EXPECT_EQ(data->points + data->rows_left_out.size(), 286u);
  // The squared distance of two rows is the number of columns in which they differ.
  const auto square = [&](std::size_t a, std::size_t b) {
    double sum = 0;
    for (std::size_t c = 0; c < data->dimensions; ++c)
      sum += std::pow(data->values[a * data->dimensions + c] - data->values[b * data->dimensions + c], 2);
    return sum;
  };
  for (std::size_t row = 1; row < 50; ++row) {
    int differing = 0;
    for (std::size_t column = 0; column < 8; ++column)
      differing += data->table.columns[column].texts[0] != data->table.columns[column].texts[row];
    EXPECT_NEAR(square(0, row), differing, 1e-5);
  }
  DataRequest filled;
  filled.missing = Missing::mean;
  EXPECT_EQ(open(categories_only(), filled)->points, 286u);
}

TEST(Opening, HorseColic) {
  for (const char separator : {' ', ','}) {
    const auto data = open(horse_colic(separator));
    const Findings& findings = *data->findings;
    EXPECT_EQ(findings.rows, 300u) << separator;
    ASSERT_EQ(findings.columns.size(), 28u) << separator;
    EXPECT_FALSE(findings.has_header);
    EXPECT_EQ(data->points, 6u);
    EXPECT_EQ(data->rows_left_out.size(), 294u);
    EXPECT_EQ(data->label_name, "");
    const Suggestion& fill = of_kind(findings, Kind::fill_missing);
    EXPECT_EQ(fill.sentence, "294 of 300 rows lack a value and were left out");
    EXPECT_EQ(fill.action, "Fill with mean");
    EXPECT_EQ(fill.option, "--missing mean");
    EXPECT_EQ(open(horse_colic(separator), apply(fill, {}))->points, 300u);
    const Suggestion& leave_out = of_kind(findings, Kind::leave_out_incomplete);
    EXPECT_EQ(leave_out.columns.size(), 20u);  // from c3 to c22; one or two rows lack c0
    const auto rest = open(horse_colic(separator), apply(leave_out, {}));
    EXPECT_EQ(rest->dimensions, 8u);
    EXPECT_GT(rest->points, 290u);
  }
}

TEST(Opening, Banknote) {
  const auto data = open(banknote());
  EXPECT_EQ(data->points, 1372u);
  EXPECT_FALSE(data->findings->has_header);
  EXPECT_EQ(data->dimensions, 5u);
  EXPECT_EQ(data->label_name, "");  // a class of numbers has no name that tells
  ASSERT_EQ(kinds(*data->findings), std::vector{Kind::use_as_label});
  EXPECT_EQ(data->findings->suggestions[0].option, "--label c4");
  const auto labelled = open(banknote(), apply(data->findings->suggestions[0], {}));
  EXPECT_EQ(labelled->dimensions, 4u);
  EXPECT_EQ(labelled->label_names, (Names{"0", "1"}));
  EXPECT_TRUE(labelled->findings->suggestions.empty());
}

TEST(Opening, WhiteWine) {
  const auto data = open(white_wine(), {}, "winequality-white.csv");
  const Findings& findings = *data->findings;
  EXPECT_EQ(data->points, 4898u);
  EXPECT_TRUE(findings.has_header);
  EXPECT_EQ(findings.header_reason, "'fixed acidity' stands above numbers");
  EXPECT_EQ(data->dimensions, 12u);
  EXPECT_EQ(data->value_names.front(), "fixed acidity");
  EXPECT_EQ(data->value_names.back(), "quality");
  EXPECT_EQ(findings.format, "CSV, separated by semicolons");
  EXPECT_EQ(data->label_name, "");
  EXPECT_EQ(kinds(findings), std::vector{Kind::use_as_label});
}

TEST(Opening, Pollution) {
  const auto data = open(pollution(), {}, "pollution.csv");
  const Findings& findings = *data->findings;
  EXPECT_EQ(data->points, 60u);
  EXPECT_TRUE(findings.has_header);
  EXPECT_EQ(data->dimensions, 17u);
  EXPECT_EQ(findings.columns[0].kind, ColumnKind::counter);
  ASSERT_EQ(kinds(findings), (std::vector{Kind::leave_out_counters, Kind::standardize}));
  EXPECT_EQ(findings.suggestions[0].columns, Names{"obs"});
  EXPECT_EQ(findings.suggestions[1].columns, Names{"DENS"});
  const auto rest = open(pollution(), apply(findings.suggestions[0], {}), "pollution.csv");
  EXPECT_EQ(rest->dimensions, 16u);
  EXPECT_EQ(rest->value_names.front(), "PREC");
}

Names header_of(const std::string& bytes, Header header = Header::automatic) {
  DataRequest request;
  request.format.header = header;
  const TemporaryFolder folder;
  const Table table = load_table(folder.write("t.csv", bytes), nullptr, request.format);
  Names names;
  for (const Column& column : table.columns) names.push_back(column.name);
  EXPECT_EQ(table.has_header, names.back() != "c1") << bytes;
  return names;
}

TEST(Header, IsTextAboveNumbers) {
  EXPECT_EQ(header_of("x,kind\n1,a\n2,b\n"), (Names{"x", "kind"}));
  EXPECT_EQ(header_of(",x\n0,1\n1,2\n"), (Names{"c0", "x"}));
}

TEST(Header, IsAllTextWhereTheColumnsAreNot) {
  EXPECT_EQ(header_of("a,b\n,x\n,y\n"), (Names{"a", "b"}));
}

TEST(Header, IsATextThatNeverRecursWhereOthersDo) {
  EXPECT_EQ(header_of("sex,mood\nM,good\nF,bad\nM,bad\nF,good\n"), (Names{"sex", "mood"}));
  EXPECT_EQ(header_of("sex,1990\nM,1\nF,2\nM,3\nF,4\n"), (Names{"sex", "1990"}));
  EXPECT_EQ(header_of("M,good\nF,bad\nM,bad\nF,good\n"), (Names{"c0", "c1"}));
  // Names that rarely recur, beside numbers.
  EXPECT_EQ(header_of("Zoe,31\nAnna,20\nBob,41\nAnna,7\nEve,9\n"), (Names{"c0", "c1"}));
  EXPECT_EQ(header_of("a,b\nc,d\ne,f\n"), (Names{"c0", "c1"}));  // nothing recurs
}

TEST(Header, IsWhatTheOptionSays) {
  EXPECT_EQ(header_of("1,2\n3,4\n", Header::yes), (Names{"1", "2"}));
  EXPECT_EQ(header_of("sex,mood\nM,good\nF,bad\nM,bad\nF,good\n", Header::no), (Names{"c0", "c1"}));
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "x,y\n1,2\n");
  EXPECT_EQ(input_message([&] {
              load_dataset({.source = path, .format = {Header::no, 0}});
            }),
            path + ":1: column 'c0': expected a number, found 'x'");
  EXPECT_EQ(input_message([&] {
              load_table(folder.write("u.csv", "1,2\n"), nullptr, {Header::yes, 0});
            }),
            folder.path("u.csv") + ": only a header, no rows");
}

TEST(Header, FollowsTheLinesThatAreSkipped) {
  const TemporaryFolder folder;
  const std::string path = folder.write("t.csv", "made on Monday; by hand\n\n\"never closed\nx,y\n1,2\n3,4\n");
  const Table table = load_table(path, nullptr, {Header::automatic, 3});
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.columns[0].name, "x");
  EXPECT_EQ(table.row_lines, (std::vector<std::size_t>{5, 6}));
  EXPECT_EQ(input_message([&] { load_table(path, nullptr, {Header::automatic, 99}); }), path + ": no rows");
  EXPECT_NE(input_message([&] { load_table("synthetic:simplex,n=5", nullptr, {Header::yes, 0}); }), "(no error)");
}

TEST(DecimalCommas, OfFilesSeparatedOtherwise) {
  for (const std::string bytes : {"1,5;2,5\n3,5;-4,25\n", "a;b\n1,5;2,5\n3,5;-4,25\n", "1,5\t2,5\n3,5\t-4,25\n",
                                  "1,5 2,5\n3,5  -4,25 \n", "\"1,5\";\"2,5\"\n\"3,5\";\"-4,25\"\n"}) {
    const Table table = read_bytes(bytes);
    ASSERT_EQ(table.columns.size(), 2u) << bytes;
    ASSERT_EQ(table.rows, 2u) << bytes;
    EXPECT_EQ(table.columns[1].numbers, (std::vector<float>{2.5f, -4.25f})) << bytes;
  }
  // Whole numbers at first.
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
  EXPECT_EQ(
      data->findings->sentences().back(),
      "'people' was read as text because of '1,000': write its numbers like -1234.5, without thousands separators, "
      "signs or units");
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
  EXPECT_EQ(
      message_of_reading(alone),
      "data.csv: no column of numbers that distances could use; 'share' was read as text because of '46%': write its "
      "numbers like -1234.5, without thousands separators, signs or units");
  EXPECT_EQ(message_of_reading("x,people\n1,900\n2,\"1,234\"\n"),
            "data.csv:3: column 'people': expected a number like -1234.5, found '1,234'; "
            "`--columns` can leave this column out");
  // Beside categories that are some.
  const auto data = open("share,mood,sex\n46%,good,f\n5%,bad,m\n46%,bad,f\n5%,good,m\n", {}, "t.csv");
  EXPECT_EQ(of_use(*data->findings, ColumnUse::distances), Names{"mood"});
  EXPECT_EQ(data->label_name, "sex");
  // Nor proposed as categories.
  const auto numbers = open("x,share\n1,46%\n2,5%\n4,46%\n", {}, "t.csv");
  EXPECT_TRUE(kinds(*numbers->findings).empty());
  EXPECT_EQ(numbers->label_name, "");
  DataRequest asked;
  asked.columns = {"share"};
  EXPECT_EQ(open(alone, asked)->dimensions, 2u);
  asked.columns = {"height"};
  EXPECT_EQ(message_of_reading("x,height\n1,158 cm\n2,161 cm\n", "data.csv", asked),
            "data.csv: column 'height' is text and cannot be used for distances; 'height' was read as text because of "
            "'158 cm': write its numbers like -1234.5, without thousands separators, signs or units");
}

TEST(UnreadNumbers, AreToldAsTheFileWritesNumbers) {
  const auto data = open("x;share\n1,5;4%\n2,5;5%\n", {}, "t.csv");
  EXPECT_EQ(data->findings->sentences().back(),
            "'share' was read as text because of '4%': write its numbers like -1234,5, without thousands separators, "
            "signs or units");
  // A column of balances, some of them negative as accountants write them.
  std::string balances = "x,balance\n";
  for (int row = 0; row < 60; ++row)
    balances += "1," + std::string(row % 3 ? "7" : "(" + std::to_string(row) + ")") + "\n";
  EXPECT_EQ(open(balances, {}, "t.csv")->findings->columns[1].unread, "(0)");
}

TEST(Header, MayBeOneNameShorterThanTheRows) {
  // R's write.table.
  const auto cars = open("\"mpg\" \"cyl\" \"am\"\n\"Mazda RX4\" 21 6 1\n\"Fiat 128\" 32.4 4 1\n\"Duster\" 14.3 8 0\n");
  EXPECT_EQ(cars->value_names, (Names{"mpg", "cyl", "am"}));
  EXPECT_EQ(cars->table.columns[0].name, "row");
  EXPECT_EQ(cars->table.columns[0].texts[1], "Fiat 128");
  EXPECT_EQ(cars->findings->header_reason, "it is one name shorter than the rows, which begin with names of their own");
  EXPECT_EQ(open("a\tb\n1\t2\t3\n2\t4\t5\n", {}, "t.tsv")->value_names, (Names{"row", "a", "b"}));
  // A separator ends every row but not the header.
  const auto trailing = open("x,y\n1,2,\n3,4,\n5,7,\n", {}, "t.csv");
  EXPECT_EQ(trailing->value_names, (Names{"x", "y"}));
  EXPECT_EQ(trailing->points, 3u);
  EXPECT_EQ(trailing->findings->columns[2].kind, ColumnKind::empty);
  for (const std::string bytes : {"x,y\n1,2,3\n4,5\n", "1,2\n1,2,3\n4,5,6\n"})
    EXPECT_EQ(message_of_reading(bytes), "data.csv:2: expected 2 columns, found 3");
}

TEST(Header, MayNumberTheColumns) {
  const Table table = read_bytes(",0,1,2\n0,0,5,6\n1,5,0,7\n2,6,7,0\n");
  EXPECT_TRUE(table.has_header);
  EXPECT_EQ(table.header_reason, "its cells number the columns");
  EXPECT_EQ(table.columns[3].name, "2");
  EXPECT_FALSE(read_bytes(",0,1,2\n,1,2,3\n,2,3,4\n").has_header);
}

TEST(Opening, DistancesBesideTheNamesOfTheirRows) {
  for (const std::string bytes : {",0,1,2\n0,0,5,6\n1,5,0,7\n2,6,7,0\n", ",A,B,C\nA,0,5,6\nB,5,0,7\nC,6,7,0\n"}) {
    Table table = read_bytes(bytes);
    DataRequest request;
    request.reading = Reading::matrix;
    const Chosen chosen = choose(table, request);
    EXPECT_EQ(chosen.label, &table.columns[0]);
    EXPECT_EQ(chosen.columns.size(), 3u);
  }
}

TEST(Findings, TellOfCommentsThatLookLikeRows) {
  const auto remarks = [](const std::string& bytes) { return read_bytes(bytes).remarks; };
  EXPECT_EQ(remarks("tag,x\n#a,1\n#b,2\nc,3\nd,4\n"),
            Names{"2 lines begin with # and were taken for comments, though they have as many fields as the rows"});
  EXPECT_EQ(remarks("# x,y\n1,2\n3,4\n"),
            Names{"1 line begins with # and was taken for a comment, though it has as many fields as the rows"});
  EXPECT_TRUE(remarks("# made by hand\nx,y\n# of three, four, five\n1,2\n").empty());
  EXPECT_TRUE(remarks("# made\n1\n2\n").empty());
  const auto said = open("tag,x\n#a,1\nb,2\nc,3\nd,4\n", {}, "t.csv")->findings->sentences();
  EXPECT_NE(std::find(said.begin(), said.end(), remarks("tag,x\n#a,1\nb,2\n").front()), said.end());
}

TEST(Blanks, SeparateNumbersAlone) {
  EXPECT_EQ(sniff_dialect("1 2\n3 4\n").separator, ' ');
  EXPECT_EQ(sniff_dialect(" 1   2\t3 \n3 4 ?\n").separator, ' ');
  EXPECT_EQ(sniff_dialect("hello world\ngood day\n").separator, ',');
  EXPECT_EQ(sniff_dialect("1 2\n3 4 5\n").separator, ',');
  const Table table = read_bytes("  x   y \n 1  2\n\t3\t4  \n", "t.txt");
  EXPECT_EQ(table.columns[1].name, "y");
  EXPECT_EQ(table.columns[1].numbers, (std::vector<float>{2, 4}));
}

TEST(Label, TextColoursByItselfUpToFortyValues) {
  const auto table = [](int values, const std::string& more = "") {
    std::string text = "x,kind" + more + "\n";
    for (int row = 0; row < 3 * values; ++row)
      text += std::to_string(row * row % 7) + ",k" + std::to_string(row % values) + (more.empty() ? "" : ",1") + "\n";
    return text;
  };
  EXPECT_EQ(open(table(40))->label_name, "kind");
  EXPECT_EQ(open(table(40))->label_names.size(), 40u);
  EXPECT_EQ(open(table(41))->label_name, "");
  EXPECT_EQ(open(table(5, ",class"))->label_name, "class");
  DataRequest asked;
  asked.label = "x";
  EXPECT_EQ(open(table(5), asked)->label_name, "x");
  asked.label = "none";
  EXPECT_EQ(open(table(5), asked)->label_name, "");
  EXPECT_TRUE(open(table(5), asked)->labels.empty());
  EXPECT_EQ(open("x,none\n1,a\n4,b\n2,a\n", asked)->label_name, "none");
  // Texts that are all different tell rows apart, not classes.
  EXPECT_EQ(open("x,name\n1,a\n4,b\n2,c\n")->label_name, "");
}

TEST(Findings, CountersAreWholeNumbersThatIncreaseOrAreCalledId) {
  const auto kind_of = [](const std::string& name, auto value) {
    std::string text = name + ",x\n";
    for (int row = 0; row < 12; ++row) text += std::to_string(value(row)) + "," + std::to_string(row % 5) + "\n";
    return open(text)->findings->columns[0].kind;
  };
  EXPECT_EQ(kind_of("n", [](int row) { return 1000 + 3 * row; }), ColumnKind::counter);
  EXPECT_EQ(kind_of("n", [](int row) { return (7 * row) % 12; }), ColumnKind::integers);
  EXPECT_EQ(kind_of("id", [](int row) { return (7 * row) % 12; }), ColumnKind::counter);
  // Long numbers that all differ are identifiers too, even where float32 makes them one.
  const auto long_number = [](int row) { return 12345678900000000 + (7 * row) % 12; };
  EXPECT_EQ(kind_of("customer", long_number), ColumnKind::counter);
  EXPECT_EQ(kind_of("customer", [&](int row) { return long_number(row / 2); }), ColumnKind::integers);
  EXPECT_EQ(kind_of("patient_id", [](int row) { return (7 * row) % 12; }), ColumnKind::counter);
  EXPECT_EQ(kind_of("id", [](int row) { return row % 3; }), ColumnKind::integers);
}

TEST(Findings, OptionsCanBePastedIntoAShell) {
  const auto data = open("id,\"a, b\",it's\n1,2,3\n2,5,1\n3,3,2\n4,1,1\n5,4,2\n6,6,6\n7,0,1\n8,1,1\n");
  EXPECT_EQ(of_kind(*data->findings, Kind::leave_out_counters).option, "--columns '\"a, b\",it'\\''s'");
}

TEST(Findings, AnEmptyColumnIsToldAndHarmsNothing) {
  // Every line ends with the separator.
  const auto data = open("x,y,\n1,2,\n3,4,\n5,7,\n", {}, "t.csv");
  EXPECT_EQ(data->points, 3u);
  EXPECT_EQ(of_use(*data->findings, ColumnUse::distances), (Names{"x", "y"}));
  EXPECT_EQ(data->findings->columns[2].kind, ColumnKind::empty);
  EXPECT_EQ(data->findings->sentences().back(), "'c2' is empty");
  EXPECT_TRUE(data->findings->suggestions.empty());
  EXPECT_EQ(open("1;2;\n3;4;\n5;7;\n")->dimensions, 2u);
  const auto words = open("sex,mood,\nM,good,\nF,bad,\nM,bad,\nF,good,\n");
  EXPECT_EQ(words->points, 4u);
  EXPECT_EQ(words->label_name, "mood");
}

TEST(Findings, SayNothingOfMadeData) {
  DataRequest request;
  request.source = "synthetic:swissroll,n=50";
  EXPECT_TRUE(load_dataset(request)->findings->suggestions.empty());
}

}  // namespace
}  // namespace kinescope::sim::opening_cases
