#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "sim/data/findings.hpp"
#include "tests/sim/data/helpers.hpp"

namespace kinescope::sim::dataset_test {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<float>;
using Labels = std::vector<std::uint32_t>;
using Lines = std::vector<std::size_t>;

Dataset dataset_of(std::string_view text, const DataRequest& request = {}) {
  return make_dataset(read_bytes(text), request);
}

// The message without the file's name.
std::string refusal(std::string_view text, const DataRequest& request) {
  const std::string message = input_message([&] { dataset_of(text, request); });
  const std::size_t name = message.find("data.csv: ");
  return name == std::string::npos ? message : message.substr(name + 10);
}

DataRequest labelled(const std::string& label) {
  DataRequest request;
  request.label = label;
  return request;
}

DataRequest with_columns(const Texts& columns) {
  DataRequest request;
  request.columns = columns;
  return request;
}

TEST(MakeDataset, TakesAllNumbersRowByRow) {
  const Dataset dataset = dataset_of("x,name,y\n1,a,2\n3,b,4\n5,c,6\n");
  EXPECT_EQ(dataset.name, "data.csv");
  EXPECT_EQ(dataset.points, 3u);
  EXPECT_EQ(dataset.dimensions, 2u);
  EXPECT_EQ(dataset.value_names, (Texts{"x", "y"}));
  EXPECT_EQ(dataset.values(), (Numbers{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(dataset.label_name, "");
  EXPECT_TRUE(dataset.labels.empty());
  EXPECT_TRUE(dataset.rows_left_out.empty());
  EXPECT_EQ(dataset.table.columns.size(), 3u);
}

TEST(MakeDataset, KeepsOnlyTheLabelIfNobodyLooksAtTheColumns) {
  const std::string text = "x,name,y,class\n1,a,2,u\n3,b,,v\n5,c,6,u\n";
  DataRequest request;
  const Dataset whole = dataset_of(text, request);
  request.keep_columns = false;
  const Dataset dataset = dataset_of(text, request);
  EXPECT_EQ(dataset.values(), whole.values());
  EXPECT_EQ(dataset.value_names, whole.value_names);
  EXPECT_EQ(dataset.labels, whole.labels);
  EXPECT_EQ(dataset.rows_left_out, whole.rows_left_out);
  EXPECT_EQ(dataset.findings->sentences(), whole.findings->sentences());
  ASSERT_EQ(dataset.table.columns.size(), 1u);
  EXPECT_EQ(dataset.table.columns[0].name, "class");
  EXPECT_EQ(dataset.table.columns[0].texts, (Texts{"u", "u"}));
  EXPECT_EQ(whole.table.columns.size(), 4u);
}

TEST(MakeDataset, ColumnsThatGoBackOnTheWayMakeTheSamePoints) {
  Table table;  // of more rows than go back at a time; some are left out
  table.source = "made";
  table.rows = 70'000;
  for (int c = 0; c < 5; ++c) {
    Column& column = table.columns.emplace_back();
    column.name = "c" + std::to_string(c);
    for (std::size_t row = 0; row < table.rows; ++row)
      column.numbers.push_back(c == 4             ? double(row % 3)
                               : row % 1000 == 17 ? NAN
                               : c == 2           ? 0.1 * double(row)
                                                  : double(float(row * 5 + std::size_t(c))));
  }
  for (const bool by_label : {false, true}) {
    DataRequest request;
    if (by_label) request.label = "c4";
    const Dataset whole = make_dataset(table, request);
    request.keep_columns = false;
    const Dataset dataset = make_dataset(table, request);
    EXPECT_EQ(dataset.points, 69'930u);
    EXPECT_EQ(dataset.values(), whole.values());
    EXPECT_EQ(dataset.labels, whole.labels);
    EXPECT_EQ(dataset.rows_left_out, whole.rows_left_out);
    EXPECT_EQ(dataset.table.columns.size(), by_label ? 1u : 0u);
    if (by_label) EXPECT_EQ(dataset.table.columns[0].numbers, whole.table.columns[4].numbers);
  }
}

TEST(MakeDataset, ManyRowsAndColumnsKeepTheirPlaces) {
  std::string text;
  for (int row = 0; row < 200; ++row) {
    for (int column = 0; column < 37; ++column) text += std::to_string(row * 1000 + column) + (column < 36 ? "," : "");
    text += '\n';
  }
  const Dataset dataset = dataset_of(text);
  for (std::size_t row = 0; row < 200; ++row)
    for (std::size_t column = 0; column < 37; ++column)
      ASSERT_EQ(dataset.values()[row * 37 + column], static_cast<float>(row * 1000 + column));
}

TEST(MakeDataset, AColumnNamedClassOrLabelIsTheLabel) {
  for (const std::string name : {"class", "Class", "CLASS", "label", "Label"}) {
    const Dataset dataset = dataset_of("x," + name + "\n1,4\n2,2\n3,4\n");
    EXPECT_EQ(dataset.label_name, name);
    EXPECT_EQ(dataset.value_names, Texts{"x"});
    EXPECT_EQ(dataset.label_names, (Texts{"2", "4"}));
    EXPECT_EQ(dataset.labels, (Labels{1, 0, 1}));
  }
  EXPECT_EQ(dataset_of("label,class,x\n1,2,3\n").label_name, "class");
  EXPECT_EQ(dataset_of("classes,x\n1,2\n").label_name, "");
}

TEST(MakeDataset, AnyColumnCanBeTheLabel) {
  const Dataset numbered = dataset_of("x,y,class\n1,2.5,7\n2,-1,7\n3,10,8\n", labelled("y"));
  EXPECT_EQ(numbered.label_name, "y");
  EXPECT_EQ(numbered.label_names, (Texts{"-1", "2.5", "10"}));
  EXPECT_EQ(numbered.labels, (Labels{1, 0, 2}));
  EXPECT_EQ(numbered.value_names, (Texts{"x", "class"}));
  const Dataset text = dataset_of("x,kind\n1,pear\n2,apple\n3,pear\n", labelled("kind"));
  EXPECT_EQ(text.label_names, (Texts{"apple", "pear"}));
  EXPECT_EQ(text.labels, (Labels{1, 0, 1}));
}

TEST(MakeDataset, RowsWithoutALabelFormTheLastClass) {
  EXPECT_EQ(dataset_of("x,class\n1,b\n2,\n3,a\n").label_names, (Texts{"a", "b", "missing"}));
  EXPECT_EQ(dataset_of("x,class\n1,b\n2,\n3,a\n").labels, (Labels{1, 2, 0}));
  EXPECT_EQ(dataset_of("x,class\n1,5\n2,?\n3,4\n").label_names, (Texts{"4", "5", "missing"}));
  EXPECT_EQ(dataset_of("x,class\n1,5\n2,?\n3,4\n").labels, (Labels{1, 2, 0}));
}

TEST(MakeDataset, ChosenColumnsAloneTakePartInTheirOrder) {
  const Dataset dataset = dataset_of("a,b,c\n1,2,3\n4,5,6\n", with_columns({"c", "a"}));
  EXPECT_EQ(dataset.value_names, (Texts{"c", "a"}));
  EXPECT_EQ(dataset.values(), (Numbers{3, 1, 6, 4}));
  // A column that is requested for the distances does not become the label.
  const Dataset asked = dataset_of("a,class\n1,2\n4,5\n", with_columns({"a", "class"}));
  EXPECT_EQ(asked.dimensions, 2u);
  EXPECT_EQ(asked.label_name, "");
}

TEST(MakeDataset, TheOnlyColumnOfCategoriesMakesDistancesAndIsNoLabel) {
  const Dataset dataset = dataset_of("id,city\na,Graz\nb,Bonn\nc,Graz\nd,Bonn\ne,Graz\nf,Bonn\n", {});
  EXPECT_EQ(dataset.label_name, "");
  EXPECT_EQ(dataset.points, 6u);
  EXPECT_GE(dataset.dimensions, 1u);
}

TEST(MakeDataset, WrongColumnsAreRefused) {
  const std::string text = "a,b,kind,none\n1,2,x,\n4,5,y,\n";
  EXPECT_EQ(refusal(text, with_columns({"a", "z"})), "there is no column 'z'; available: 'a', 'b', 'kind', 'none'");
  EXPECT_EQ(refusal(text, labelled("z")), "there is no column 'z'; available: 'a', 'b', 'kind', 'none'");
  EXPECT_EQ(refusal(text, labelled("KIND")), "there is no column 'KIND'; did you mean 'kind'?");
  EXPECT_EQ(refusal(text, with_columns({"a", "knd"})), "there is no column 'knd'; did you mean 'kind'?");
  EXPECT_EQ(refusal(text, with_columns({"kind"})), "column 'kind' is text and cannot be used for distances");
  EXPECT_EQ(refusal(text, with_columns({"a", "a"})), "column 'a' is named twice");
  EXPECT_EQ(refusal(text, with_columns({"none"})), "column 'none' has no values");
  DataRequest both = labelled("a");
  both.columns = {"a", "b"};
  EXPECT_EQ(refusal(text, both), "column 'a' is the label and not used for distances");
  EXPECT_EQ(refusal("class\n1\n2\n", {}), "no column has numbers from which distances can be computed");
  EXPECT_EQ(refusal("name,kind\nx,y\n", {}), "no column has numbers from which distances can be computed");
  EXPECT_EQ(refusal("from,to\nx,y\ny,z\n", {}),
            "no column has numbers from which distances can be computed; if its rows are edges, glimmer reads them "
            "with `--set metric=graph`");
}

TEST(MakeDataset, RowsWithAMissingValueAreLeftOutAndNamed) {
  const std::string text = "x,y,name\n1,2,a\n,3,b\n# note\n4,?,c\n5,6,\n7,nan,e\n8,9,f\n";
  const Dataset dataset = dataset_of(text);
  EXPECT_EQ(dataset.values(), (Numbers{1, 2, 5, 6, 8, 9}));
  EXPECT_EQ(dataset.rows_left_out, (Lines{3, 5, 7}));
  EXPECT_EQ(dataset.table.rows, 3u);
  EXPECT_EQ(dataset.table.row_lines, (Lines{2, 6, 8}));
  EXPECT_EQ(dataset.table.columns[2].texts, (Texts{"a", "", "f"}));
  for (const Column& column : dataset.table.columns) EXPECT_EQ(column.size(), 3u);
  // Missing values of a column that takes no part do not matter.
  EXPECT_EQ(dataset_of(text, with_columns({"x"})).rows_left_out, Lines{3});
}

TEST(MakeDataset, MissingValuesCanBecomeTheMean) {
  DataRequest request;
  request.missing = Missing::mean;
  const Dataset dataset = dataset_of("x,y\n1,2\n,4\n5,?\n", request);
  EXPECT_EQ(dataset.values(), (Numbers{1, 2, 3, 4, 5, 3}));
  EXPECT_TRUE(dataset.rows_left_out.empty());
  EXPECT_TRUE(std::isnan(dataset.table.columns[0].numbers[1]));  // the table still says what the file says
}

TEST(MakeDataset, NoRowsLeftIsAnError) {
  EXPECT_EQ(refusal("x,y\n1,\n,2\n", {}),
            "no rows left: each of the 2 rows has a missing value; `--missing mean` fills them in");
  Table empty;
  empty.source = "data.csv";
  empty.columns.push_back({"x", false, {}, {}});
  EXPECT_NE(input_message([&] { make_dataset(empty, {}); }), "(no error)");
}

TEST(MakeDataset, AColumnWithoutValuesTakesNoPartUnasked) {
  const Dataset dataset = dataset_of("x,empty,y\n1,,2\n3,NA,4\n");
  EXPECT_EQ(dataset.value_names, (Texts{"x", "y"}));
  EXPECT_EQ(dataset.points, 2u);
}

TEST(MakeDataset, OneRowOneColumnAndEqualRowsAreFine) {
  EXPECT_EQ(dataset_of("1,2\n").points, 1u);
  EXPECT_EQ(dataset_of("1\n2\n").dimensions, 1u);
  EXPECT_EQ(dataset_of("1,2\n1,2\n1,2\n").points, 3u);
}

TEST(MakeDataset, RowNumbersStandInWhereLinesMeanNothing) {
  Table table;
  table.source = "a.npy";
  table.rows = 3;
  table.columns.push_back({"c0", false, {1, std::numeric_limits<float>::quiet_NaN(), 3}, {}});
  EXPECT_EQ(make_dataset(table, {}).rows_left_out, Lines{2});
  table.columns[0].numbers.set(0, std::numeric_limits<float>::infinity());
  EXPECT_EQ(input_message([&] { make_dataset(table, {}); }),
            "a.npy: row 1: column 'c0': an infinite value cannot be used for distances");
}

TEST(MakeDataset, NumbersThatFloat32HoldsAsZeroAreRefused) {
  EXPECT_EQ(refusal("x,y\n1e-310,1\n5e-320,2\n0,3\n", {}),
            "column 'x': its numbers are too small for float32; multiply it by a power of ten");
  EXPECT_EQ(dataset_of("x,y\n1e-310,1\n1e-30,2\n0,3\n").points, 3u);
  EXPECT_EQ(dataset_of("x,y\n0,1\n0,2\n").points, 2u);
}

TEST(MakeDataset, NumericTextsSortAsNumbers) {
  Table table;
  table.source = "t";
  table.rows = 3;
  table.columns.push_back({"x", false, {1, 2, 3}, {}});
  table.columns.push_back({"class", true, {}, {"10", "9", "0"}});
  EXPECT_EQ(make_dataset(table, {}).label_names, (Texts{"0", "9", "10"}));
}

}  // namespace
}  // namespace kinescope::sim::dataset_test
