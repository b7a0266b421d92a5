// Two tables joined by name, and tables that lie on their side.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "sim/data/findings.hpp"
#include "sim/data/join.hpp"
#include "sim/data/transpose.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/data/opening.hpp"

namespace kinescope::sim::tables_test {
namespace {

using opening_cases::kinds;
using Texts = std::vector<std::string>;

constexpr std::string_view counts =
    "# Constructed from biom file\n"
    "#OTU ID\tS1\tS2\tS3\tS4\ttaxonomy\n"
    "101\t3\t0\t1\t5\tk__B; p__X\n"
    "102\t0\t2\t8\t1\tk__B; p__Y\n"
    "103\t7\t1\t0\t0\tk__A\n";
constexpr std::string_view samples = "sample\tsite\tpH\nS1\tnorth\t5.5\nS2 \tnorth\t6\nS3\tsouth\t7\nS9\tsouth\t8\n";

// Two tables in files.
struct Two {
  TemporaryFolder folder;
  DataRequest request;

  Two(std::string_view data, std::string_view metadata, const std::string& by = "", Reading reading = Reading::rows) {
    request.source = folder.write("data.csv", data);
    request.metadata = folder.write("samples.csv", metadata);
    request.by = by;
    request.reading = reading;
  }
  Two& transposed() {
    request.transpose = true;
    return *this;
  }
  Table table() const { return load_table(request); }
  std::string error() const {
    const std::string message = input_message([&] { load_dataset(request); }), prefix = folder.path("");
    return message.starts_with(prefix) ? message.substr(prefix.size()) : message;
  }
};

Texts texts_of(const Table& table, const std::string& name) {
  const Column* column = table.find(name);
  if (!column) return {"no column " + name};
  if (!column->texts.empty()) return column->texts;
  Texts texts;
  for (std::size_t row = 0; row < table.rows; ++row) texts.push_back(number_text(column->numbers, row));
  return texts;
}

bool says(const Table& table, const std::string& sentence) {
  return std::ranges::find(table.remarks, sentence) != table.remarks.end();
}

TEST(Transposing, CountsOfFeaturesInRows) {
  const Table table = Two(counts, samples).transposed().table();
  EXPECT_EQ(table.rows, 4u);
  EXPECT_EQ(texts_of(table, "name"), (Texts{"S1", "S2", "S3", "S4"}));
  EXPECT_EQ(texts_of(table, "101"), (Texts{"3", "0", "1", "5"}));
  EXPECT_EQ(texts_of(table, "103"), (Texts{"7", "1", "0", "0"}));
  EXPECT_EQ(table.find("taxonomy"), nullptr);
  EXPECT_TRUE(says(table, "'taxonomy' describes the rows of the file and is left out"));
}

TEST(Transposing, KeepsNumbersExactlyAndMissingOnes) {
  const TemporaryFolder folder;
  const Table table = load_table(
      {.source = folder.write("a.csv", "gene,a,b\ng,16777217,0.1\ng,,2\nname,1e300,-0.5\n"), .transpose = true});
  EXPECT_EQ(texts_of(table, "g"), (Texts{"16777217", "0.1"}));
  EXPECT_EQ(texts_of(table, "g_2"), (Texts{"", "2"}));
  EXPECT_EQ(table.columns[3].numbers[0], 1e300);
  EXPECT_NE(table.columns[3].name, "name");
}

TEST(Transposing, TellsWhichDigitsAreLostAndWhatIsNoNumber) {
  const TemporaryFolder folder;
  const Table table =
      load_table({.source = folder.write("a.csv", "g,a,b\nx,9007199254740993,0.5\ny,1,2\nz,3,4\n"), .transpose = true});
  EXPECT_TRUE(says(table, "'a' has numbers of more digits than are kept when transposed, about 16"));
  EXPECT_EQ(message_of_reading("g,a,b\nx,\"1,000\",\"2,000\"\ny,no,no\n", "a.csv",
                               {.transpose = true, .format = {Header::yes, 0}}),
            "a.csv: --transpose: no column has numbers alone: 'a' has '1,000'");
}

TEST(Transposing, TwiceGivesTheTableAgain) {
  std::string text = "id";
  for (int c = 0; c < 70; ++c) text += ",n" + std::to_string(c);
  for (int row = 0; row < 131; ++row) {
    text += "\nr" + std::to_string(row);
    for (int c = 0; c < 70; ++c) text += "," + std::to_string(0.25 * row + 1.1 * c * c);
  }
  const TemporaryFolder folder;
  const Table table = load_table({.source = folder.write("a.csv", text)}), again = transposed(transposed(table));
  ASSERT_EQ(again.rows, table.rows);
  ASSERT_EQ(again.columns.size(), table.columns.size());
  EXPECT_EQ(again.columns[0].texts, table.columns[0].texts);
  for (std::size_t i = 1; i < table.columns.size(); ++i) {
    EXPECT_EQ(again.columns[i].name, table.columns[i].name);
    EXPECT_EQ(again.columns[i].numbers, table.columns[i].numbers);
  }
}

TEST(Transposing, SparseRows) {
  const TemporaryFolder folder;
  const auto request = [&](bool transpose) {
    return DataRequest{.source = folder.write("a.svm", "0 1:2 4:1.5\n1 2:3\n"), .transpose = transpose};
  };
  const Table table = load_table(request(true));
  ASSERT_TRUE(table.sparse);
  EXPECT_EQ(table.rows, 4u);
  EXPECT_EQ(table.sparse->columns, 2u);
  EXPECT_EQ(table.sparse->value, (std::vector<float>{2, 3, 1.5}));
  EXPECT_EQ(table.sparse->index, (std::vector<std::uint32_t>{0, 1, 0}));
  EXPECT_EQ(transposed(*table.sparse).value, load_table(request(false)).sparse->value);
}

TEST(Transposing, RefusesWhatHasNoColumnsOfNumbers) {
  EXPECT_EQ(message_of_reading("a,b\nx,y\nx,z\n", "a.csv", {.transpose = true}),
            "a.csv: --transpose: no column has numbers alone: 'b' has 'y'");
}

TEST(Transposing, IsOfferedForFeaturesInRows) {
  const auto offered = [](std::string_view text) {
    const auto found = kinds(*opening_cases::open(std::string(text))->findings);
    return std::ranges::find(found, Suggestion::Kind::transpose) != found.end();
  };
  EXPECT_TRUE(offered(counts));
  EXPECT_TRUE(offered("gene,s1,s2,s3\nA,1,2,3\nB,100,90,120\nC,7,6,9\n"));
  EXPECT_FALSE(offered("gene,baseMean,log2FoldChange,padj\nA,1,-2,0.3\nB,100,9,0.01\nC,7,6,0.9\n"));  // no samples
  EXPECT_FALSE(offered("state,murder,assault,rape\nA,13,236,21\nB,10,263,44\nC,8,294,31\n"));
  std::string expressions = "x,a,b,c,d,e,f", vectors = expressions, countries = "x,2001,2002,2003,2004,2005,2006";
  for (int row = 0; row < 1200; ++row) {
    for (std::string* text : {&expressions, &vectors, &countries}) *text += "\nn" + std::to_string(row);
    for (int c = 0; c < 6; ++c) {
      const std::string like_others = "," + std::to_string(1 + row * 37 % 500 + (row + c) % 3);
      expressions += like_others, countries += like_others;
      vectors += "," + std::to_string((row * 7919 + c * 104729 + row * row % 31 * c * 53) % 997);
    }
  }
  EXPECT_TRUE(offered(expressions));
  EXPECT_FALSE(offered(vectors));
  EXPECT_FALSE(offered(countries));
}

TEST(Joining, ColumnsAnnotateInTheOrderOfTheRows) {
  const Table table = Two("id,x,y\nc,1,2\na,3,4\nb,5,6\n", "id,v,g\na,0.1,A\nb,16777217,B\nc,,B\n").table();
  EXPECT_EQ(texts_of(table, "v"), (Texts{"", "0.1", "16777217"}));
  EXPECT_EQ(texts_of(table, "g"), (Texts{"B", "A", "B"}));
  EXPECT_TRUE(table.find("v")->annotates);
  EXPECT_EQ(table.joined, 2u);
  EXPECT_TRUE(says(table, "2 columns of 'samples.csv' joined by name: 3 of 3 rows found in its 'id'"));
}

TEST(Joining, ColoursAndTakesPartOnlyIfAskedFor) {
  Two two("id,x\na,1\nb,3\nc,5\n", "id,g,v\na,A,1\nb,B,2\nc,B,3\n");
  const auto data = load_dataset(two.request);
  EXPECT_EQ(data->label_name, "g");
  EXPECT_EQ(data->value_names, (Texts{"x"}));
  EXPECT_TRUE(data->findings->suggestions.empty());
  two.request.columns = {"x", "v"};
  EXPECT_EQ(load_dataset(two.request)->value_names, (Texts{"x", "v"}));
}

TEST(Joining, WhatNamesTheRowsIsNoQuantity) {
  Two two("id,x\n3,1\n1,3\n2,5\n", "id,g\n1,A\n2,B\n3,B\n");
  EXPECT_EQ(load_dataset(two.request)->value_names, (Texts{"x"}));
  two.request.metadata.clear();
  EXPECT_EQ(load_dataset(two.request)->value_names, (Texts{"id", "x"}));
}

TEST(Joining, WhatHasNoPartnerIsNamed) {
  const Table table = Two(counts, samples).transposed().table();
  EXPECT_EQ(texts_of(table, "site"), (Texts{"north", "north", "south", ""}));
  EXPECT_EQ(texts_of(table, "pH"), (Texts{"5.5", "6", "7", ""}));
  EXPECT_TRUE(says(table, "1 row is not in 'samples.csv': 'S4'"));
  EXPECT_TRUE(says(table, "1 row of 'samples.csv' is not here: 'S9'"));
}

TEST(Joining, NamesAreComparedAsWrittenAndAsNumbersWhereOneSideHasThem) {
  EXPECT_EQ(texts_of(Two("id,x\n007,1\n8,2\n", "id,g\n8,B\n007,A\n").table(), "g"), (Texts{"A", "B"}));
  EXPECT_EQ(texts_of(Two("id,x\n1.5,1\n3,2\n", "id,g\n3.0,B\n1.5,A\n").table(), "g"), (Texts{"A", "B"}));
  Two turned("f,007,7\nu,1,2\nv,3,4\n", "id,g\n7,B\n007,A\n");
  turned.request.format.header = Header::yes;
  EXPECT_EQ(texts_of(turned.transposed().table(), "g"), (Texts{"A", "B"}));
  EXPECT_EQ(texts_of(Two("id,x,y\n9007199254740993,1,2\n9007199254740992,3,4\n",
                         "id,g\n9007199254740992,A\n9007199254740993,B\n")
                         .table(),
                     "g"),
            (Texts{"B", "A"}));
}

TEST(Joining, TwoNamesOfATableAreNeverOne) {
  const Table versions = Two("version,x\n1.1,1\n1.10,2\n1.2,3\n", "version,g\n1.1,A\n1.2,B\n").table();
  EXPECT_EQ(texts_of(versions, "g"), (Texts{"A", "", "B"}));
  EXPECT_TRUE(says(versions, "1 row is not in 'samples.csv': '1.10'"));
  EXPECT_EQ(texts_of(Two("id,x,y\n007,1,2\n7,3,4\n9,5,6\n", "id,g\n7,A\n007,B\n9,C\n").table(), "g"),
            (Texts{"B", "A", "C"}));
  EXPECT_EQ(texts_of(Two("id,x\n007,1\n7,3\n9,5\n", "id,g\n7,A\n9,C\n").table(), "g"), (Texts{"", "A", "C"}));
  EXPECT_EQ(texts_of(Two("id,x\n7.0,1\n9,5\n", "id,g\n7,A\n007,B\n9,C\n").table(), "g"), (Texts{"", "C"}));
  EXPECT_EQ(texts_of(Two("id\tx\n1.10\t1\n1.1\t1\n", "id,g\n1.1,A\n1.10,B\n").table(), "g"), (Texts{"B", "A"}));
}

TEST(Joining, WhatIsWrittenInAnotherWayIsTheSameNumber) {
  const Table table = Two("id,x\n007,1\n10,2\n", "id,g\n10,B\n7,A\n").table();
  EXPECT_EQ(texts_of(table, "g"), (Texts{"A", "B"}));
  EXPECT_TRUE(says(table, "1 row is found by number, which 'samples.csv' writes in another way: '007 (7)'"));
  const Two two("", "id,g\n7.0,A\n3,B\n");  // JSON has numbers
  EXPECT_EQ(
      texts_of(load_table({.source = two.folder.write("b.jsonl", "{\"id\": 3, \"x\": 1}\n{\"id\": 7, \"x\": 2}\n"),
                           .metadata = two.request.metadata}),
               "g"),
      (Texts{"B", "A"}));
}

TEST(Joining, NumbersWithDecimalCommasHaveTheSameValue) {
  EXPECT_EQ(texts_of(Two("id;x\n1,50;2\n2,25;3,5\n", "id,g\n1.5,A\n2.25,B\n").table(), "g"), (Texts{"A", "B"}));
}

TEST(Joining, LongNumbersThatDoublesDoNotTellApartDoNotMatch) {
  const Table table =
      Two("id,x\n9007199254740992,1\n9007199254740994,3\n", "id,g\n9007199254740993,A\n9007199254740994,B\n").table();
  EXPECT_EQ(texts_of(table, "g"), (Texts{"", "B"}));
}

TEST(Joining, RowsWithoutANameMatchNothing) {
  const Table table = Two("id,x\na,1\n,3\nc,5\n", "id,g\na,A\n,N\nc,B\n").table();
  EXPECT_EQ(texts_of(table, "g"), (Texts{"A", "", "B"}));
  EXPECT_TRUE(says(table, "1 row of 'samples.csv' has no name"));
}

TEST(Joining, NamesOfColumnsStayDifferent) {
  const Table table = Two("id,x,x_metadata\na,1,2\nb,3,4\n", "id,x\na,10\nb,20\n").table();
  EXPECT_EQ(texts_of(table, "x_metadata_2"), (Texts{"10", "20"}));
  EXPECT_TRUE(says(table, "'x_metadata_2' has its suffix because the name was taken"));
}

TEST(Joining, AHeaderOfTextsAmongTextsIsSeen) {
  const Table table = Two("id,x\nc,1\na,3\nb,5\n", "id,g\na,A\nb,B\nc,C\n").table();
  EXPECT_EQ(texts_of(table, "g"), (Texts{"C", "A", "B"}));
  EXPECT_EQ(texts_of(Two("id,x\nc,1\na,3\n", "n,id\nA,a\nC,c\n", "id").table(), "n"), (Texts{"C", "A"}));
}

TEST(Joining, NodesOfAGraphAndRowsOfAMatrix) {
  const Two graph("from,to\nA,B\nB,C\n", "n,g\nC,u\nA,v\nB,u\n", "", Reading::graph);
  EXPECT_EQ(texts_of(load_dataset(graph.request)->table, "g"), (Texts{"v", "u", "u"}));
  const Two matrix("A,B,C\n0,1,2\n1,0,3\n2,3,0\n", "n,g\nC,u\nA,v\nB,u\n", "", Reading::matrix);
  EXPECT_EQ(texts_of(load_dataset(matrix.request)->table, "g"), (Texts{"v", "u", "u"}));
}

TEST(Joining, RefusesRepeatedNamesAndNoMatch) {
  EXPECT_EQ(Two("id,x\na,1\nb,2\n", "id,v\na,1\nb,2\na,3\n").error(),
            "samples.csv:4: column 'id': the name 'a' is also in line 2; names must be different to be joined by");
  EXPECT_EQ(
      Two("id,x\na,1\nb,2\n", "id,v\nu,1\nw,2\n").error(),
      "data.csv: no row is named in 'samples.csv': its 'id' has 'u', 'w', and the names here, in 'id', are 'a', 'b'");
}

TEST(Joining, TellsWhatWouldMatch) {
  const std::string turned = Two(counts, samples).error();
  EXPECT_TRUE(turned.ends_with("; they are the columns' names: `--transpose` makes these the rows")) << turned;
  const std::string by = Two("id,x\na,1\nb,2\n", "z,n\n11,a\n12,b\n").error();
  EXPECT_TRUE(by.ends_with("; its 'n' has names of rows: `--by 'n'`")) << by;
  EXPECT_EQ(message_of_reading("a\n1\n", "a.csv", {.by = "x"}),
            "--by needs --metadata, the table that has this column");
}

// A file that is dropped on open data.
TEST(Joining, ATableOfSamplesIsToldFromOtherFiles) {
  const auto asked = [](std::string_view open, std::string_view dropped) {
    const Two two(open, dropped);
    const DataRequest request{.source = two.request.source};
    return as_metadata(two.request.metadata, load_dataset(request)->table, request);
  };
  const std::string data = "id,x,y\na,1,2\nb,3,4\nc,5,6\n";
  ASSERT_TRUE(asked(data, "id,g\na,A\nb,B\nc,B\n"));
  EXPECT_FALSE(asked(data, "id,g\na,A\nb,B\nc,B\n")->transpose);
  EXPECT_EQ(asked(data, "n,id\n1,a\n2,b\n3,c\n")->by, "id");
  const auto turned = asked(counts, samples);
  ASSERT_TRUE(turned);
  EXPECT_TRUE(turned->transpose);
  EXPECT_FALSE(asked(data, data));                                      // another version of it
  EXPECT_FALSE(asked(data, "id,g\na,A\nv,B\nw,B\n"));                   // less than half
  EXPECT_FALSE(asked("x,y\n1,2\n2,3\n3,7\n", "n,g\n1,2\n2,4\n3,4\n"));  // numbers name nothing by themselves
  EXPECT_FALSE(asked(data, "id,g\na,A\na,B\nb,B\nc,A\n"));              // repeated
}

TEST(Joining, Biom1InJson) {
  const std::string biom =
      R"({"id":null,"format":"Biological Observation Matrix 1.0.0","matrix_type":"sparse","matrix_element_type":"int",)"
      R"("shape":[2,3],"data":[[0,0,5],[1,2,2],[0,1,0]],"rows":[{"id":"O1","metadata":null},{"id":"O2","metadata":null}],)"
      R"("columns":[{"id":"S1","metadata":{"site":"a","pH":5.5}},{"id":"S2","metadata":{"site":"b","pH":6}},)"
      R"({"id":"S3","metadata":null}]})";
  const Table table = read_bytes(biom, "a.biom");
  ASSERT_TRUE(table.sparse);
  EXPECT_EQ(table.rows, 3u);
  EXPECT_EQ(table.sparse->names, (Texts{"O1", "O2"}));
  EXPECT_EQ(table.sparse->begin, (std::vector<std::uint64_t>{0, 1, 1, 2}));
  EXPECT_EQ(table.sparse->value, (std::vector<float>{5, 2}));
  EXPECT_EQ(texts_of(table, "sample"), (Texts{"S1", "S2", "S3"}));
  EXPECT_EQ(texts_of(table, "site"), (Texts{"a", "b", ""}));
  EXPECT_EQ(texts_of(table, "pH"), (Texts{"5.5", "6", ""}));
  std::string wrong = biom;
  wrong.replace(wrong.find("[1,2,2]"), 7, "[1,3,2]");
  EXPECT_EQ(message_of_reading(wrong, "a.biom"), "a.biom: biom 1: entry 2 of its data: there is no such row or column");
  for (std::size_t size = 60; size < biom.size(); size += 7)  // cut off anywhere: one line
    EXPECT_NE(message_of_reading(biom.substr(0, size), "a.biom"), "(no error)");
}

}  // namespace
}  // namespace kinescope::sim::tables_test
