// Files as people have them, opened without options: header, types, label, rows left out, suggestions.
#include "tests/sim/data/opening.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "sim/data/choose.hpp"
#include "sim/data/readers/csv/csv_header.hpp"
#include "sim/data/readers/csv/dialect.hpp"
#include "sim/data/unread.hpp"
#include "tests/sim/data/table_shapes.hpp"

namespace kinescope::sim::opening_cases::opening_test {
namespace {

using namespace kinescope::tests;  // the shapes

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

TEST(Opening, SuggestsNoCategoriesTogetherWithRowNumbers) {
  std::string text = "id,length,width,species\n";
  for (int i = 0; i < 20; ++i)
    text += std::to_string(i + 1) + "," + std::to_string(i * 7 % 5) + ".5," + std::to_string(i * 3 % 11) + ".25," +
            (i % 2 ? "owl" : "elk") + "\n";
  const auto data = open(text, {.label = "none"});
  const Findings& findings = *data->findings;
  EXPECT_EQ(of_kind(findings, Kind::leave_out_counters).option, "--columns length,width");
  EXPECT_EQ(of_kind(findings, Kind::use_categories).option, "--columns length,width,species");
  EXPECT_EQ(of_kind(findings, Kind::use_categories).taking_part, (Names{"length", "width", "species"}));
}

TEST(Opening, BreastCancer) {
  const auto data = open(breast_cancer());
  const Findings& findings = *data->findings;
  EXPECT_EQ(data->points, 286u);
  EXPECT_FALSE(findings.has_header);
  EXPECT_EQ(of_use(findings, ColumnUse::distances), Names{"c6"});
  EXPECT_EQ(data->label_name, "c1");  // it explains most of c6
  EXPECT_EQ(kinds(findings), std::vector{Kind::use_categories});
  // After the suggestion is applied the categories take part: rows that differ in one are 1 apart.
  const DataRequest then = apply(findings.suggestions[0], {});
  const auto whole = open(breast_cancer(), then);
  EXPECT_EQ(of_use(*whole->findings, ColumnUse::distances),
            (Names{"c0", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9"}));
  EXPECT_EQ(whole->rows_left_out.size(), 9u);  // eight without c5, one without c8
  EXPECT_EQ(whole->value_names[0], "c0=no-recurrence-events");
  EXPECT_EQ(kinds(*whole->findings),
            std::vector{Kind::fill_missing});  // two of nine columns are a larger share than 3 % of the rows
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
      sum += std::pow(data->values()[a * data->dimensions + c] - data->values()[b * data->dimensions + c], 2);
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
  EXPECT_EQ(data->label_name, "");  // nothing in the name says that these numbers are a class
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
  EXPECT_EQ(remarks("# 5,6\n1,2\n3,4\n"),
            Names{"1 line begins with # and was taken for a comment, though it has as many fields as the rows"});
  EXPECT_TRUE(remarks("# made by hand\nx,y\n# of three, four, five\n1,2\n").empty());
  EXPECT_TRUE(remarks("# made\n1\n2\n").empty());
  const auto said = open("tag,x\n#a,1\nb,2\nc,3\nd,4\n", {}, "t.csv")->findings->sentences();
  EXPECT_NE(std::find(said.begin(), said.end(), remarks("tag,x\n#a,1\nb,2\n").front()), said.end());
}

TEST(Label, TextColoursByItselfUpToTwentyValues) {
  const auto table = [](int values, const std::string& more = "") {
    std::string text = "x,kind" + more + "\n";
    for (int row = 0; row < 3 * values; ++row)
      text += std::to_string(row * row % 7) + ",k" + std::to_string(row % values) + (more.empty() ? "" : ",1") + "\n";
    return text;
  };
  EXPECT_EQ(open(table(20))->label_name, "kind");
  EXPECT_EQ(open(table(20))->label_names.size(), 20u);
  EXPECT_EQ(open(table(21))->label_name, "");
  EXPECT_EQ(open(table(5, ",class"))->label_name, "class");
  EXPECT_EQ(open("x,kind,Label\n1,a,\n4,b,\n2,a,\n")->label_name, "kind") << "a label without any value";
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

TEST(Findings, CountersAreTheNumbersOfTheRowsInOrder) {
  const auto kind_of = [](const std::string& name, auto value) {
    std::string text = name + ",x\n";
    for (int row = 0; row < 12; ++row) text += std::to_string(value(row)) + "," + std::to_string(row % 5) + "\n";
    return open(text)->findings->columns[0].kind;
  };
  for (const int first : {0, 1}) EXPECT_EQ(kind_of("n", [&](int row) { return first + row; }), ColumnKind::counter);
  for (const char* name : {"n", "id", "patient_id"}) {
    EXPECT_EQ(kind_of(name, [](int row) { return 2 + row; }), ColumnKind::integers) << name;
    EXPECT_EQ(kind_of(name, [](int row) { return 1000 + 3 * row; }), ColumnKind::integers) << "a population grows";
    EXPECT_EQ(kind_of(name, [](int row) { return (7 * row) % 12; }), ColumnKind::integers) << name;
    EXPECT_EQ(kind_of(name, [](int row) { return row % 3; }), ColumnKind::integers) << name;
  }
  // Also if double rounds neighbours to the same number.
  const auto long_number = [](int row) { return 12345678900000000 + (7 * row) % 12; };
  EXPECT_EQ(kind_of("customer", long_number), ColumnKind::integers);
  EXPECT_EQ(kind_of("customer", [&](int row) { return long_number(row / 2); }), ColumnKind::integers);
  // A data frame's index, whose rows may be any of a larger one.
  for (const char* name : {"", "Unnamed: 0"}) {
    EXPECT_EQ(kind_of(name, [](int row) { return (7 * row) % 12; }), ColumnKind::counter) << name;
    EXPECT_EQ(kind_of(name, [](int row) { return row % 3; }), ColumnKind::integers) << name;
  }
}

// Numbers with another marker for missing ones are no categories, though some of them recur.
TEST(Findings, NumbersWithAnUnknownMarkerAreNoCategories) {
  std::string text = "a,b\n";
  for (int row = 0; row < 40; ++row)
    text += std::to_string(row) + "," + (row % 6 == 5 ? "." : std::to_string(row % 36)) + "\n";
  const auto data = open(text);
  EXPECT_EQ(data->findings->columns[1].kind, ColumnKind::texts);
  for (const Suggestion& each : data->findings->suggestions)
    EXPECT_EQ(each.sentence.find("categories"), std::string::npos);
}

TEST(Findings, NumbersOfMoreDigitsThanDistancesUseAreTold) {
  std::string text = "a,b\n";
  for (int row = 0; row < 9; ++row)
    text += "115292150460684697" + std::to_string(row * row % 7) + "," + std::to_string(row) + "\n";
  const std::vector<std::string> said = open(text)->findings->sentences();
  EXPECT_NE(std::ranges::find(said, "'a' has numbers of more digits than distances use, about 16"), said.end());
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
}  // namespace kinescope::sim::opening_cases::opening_test
