// Graphs and mixed tables on the command line: the metric decides how a file is read, and impossible combinations are
// refused.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/command_line/program.hpp"

namespace kinescope::tests::command_line::graph_test {
namespace {

using nlohmann::json;

json report_of(const Folder& folder) {
  return json::parse(read_file(folder.file("report.json")));
}

Outcome run_glimmer(const Folder& folder, std::vector<std::string> options) {
  options.insert(options.begin(), {"run", "glimmer", "--out", "layout.csv", "--report", "report.json"});
  return run_program(options, {.folder = folder.path()});
}

TEST(CommandLineGraph, AMadePathIsLaidOutAsALine) {
  const Folder folder;
  for (const std::string metric : {"", "metric=gower"}) {  // a made graph has no other distances than paths
    std::vector<std::string> options = {"--data", "synthetic:tree,n=60,branching=1"};
    if (!metric.empty()) options.insert(options.end(), {"--set", metric});
    const Outcome outcome = run_glimmer(folder, options);
    ASSERT_EQ(outcome.status, 0) << outcome.errors;
    const json report = report_of(folder);
    EXPECT_EQ(report["parameters"]["metric"], "graph");
    EXPECT_EQ(report["points"], 60);
    EXPECT_EQ(report["edges"], 59);
    EXPECT_EQ(report["distances"], "shortest paths over 59 edges");
    EXPECT_FALSE(report.contains("dimensions"));
    EXPECT_LT(report["stress"], 1e-4);
    const std::vector<std::string> lines = lines_of(read_file(folder.file("layout.csv")));
    ASSERT_EQ(lines.size(), 61u);
    EXPECT_EQ(lines[0], "x,y,node");
    EXPECT_TRUE(lines[60].ends_with(",60"));
  }
}

TEST(CommandLineGraph, ATableOfEdgesKeepsItsLargestComponentIfAskedTo) {
  const Folder folder;
  folder.write("roads.csv", "from,to,km\nUlm,Bonn,3\nBonn,Kiel,4\nKiel,Ulm,5\nOslo,Bergen,1\n");
  const Outcome outcome =
      run_glimmer(folder, {"--data", "roads.csv", "--set", "metric=graph", "--components", "largest"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("2 nodes left out in 1 smaller component"), std::string::npos) << outcome.errors;
  EXPECT_EQ(report_of(folder)["rows_left_out"], json({4, 5}));
  EXPECT_LT(report_of(folder)["stress"], 1e-4);  // a triangle of 3, 4 and 5
  const std::vector<std::string> lines = lines_of(read_file(folder.file("layout.csv")));
  ASSERT_EQ(lines.size(), 4u);
  EXPECT_TRUE(lines[1].ends_with(",Ulm"));
  EXPECT_TRUE(lines[3].ends_with(",Kiel"));
}

TEST(CommandLineGraph, WeightsAreStrengthsOrLengthsAndTheReportTells) {
  const Folder folder;
  folder.write("ties.csv", "from,to,weight\nA,B,2\nB,C,4\n");
  const auto run = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"--data", "ties.csv", "--set", "metric=graph"});
    const Outcome outcome = run_glimmer(folder, options);
    EXPECT_EQ(outcome.status, 0) << outcome.errors;
    return outcome.errors;
  };
  EXPECT_NE(run({}).find("strengths 'weight'"), std::string::npos);
  EXPECT_EQ(report_of(folder)["edges_are"], "strength");
  EXPECT_NE(run({"--edges-are", "length"}).find("edges are 2 to 4 long"), std::string::npos);
  EXPECT_EQ(report_of(folder)["edges_are"], "length");
}

TEST(CommandLineGraph, AMatrixMarketFileIsRowsOrAGraph) {
  const Folder folder;
  folder.write("ring.mtx", "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 4\n2 1\n3 2\n4 3\n4 1\n");
  ASSERT_EQ(run_glimmer(folder, {"--data", "ring.mtx"}).status, 0);
  EXPECT_EQ(report_of(folder)["dimensions"], 4);
  ASSERT_EQ(run_glimmer(folder, {"--data", "ring.mtx", "--set", "metric=graph"}).status, 0);
  EXPECT_EQ(report_of(folder)["edges"], 4);
}

TEST(CommandLineGraph, MixedTablesKeepRowsWithGaps) {
  const Folder folder;
  folder.write("mixed.csv", "kg,colour,kind\n10,red,x\n,blue,x\n30,,y\n15,red,y\n22,blue,x\n");
  const Outcome outcome = run_glimmer(folder, {"--data", "mixed.csv", "--label", "kind", "--set", "metric=gower"});
  ASSERT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_NE(outcome.errors.find("distances are computed from 1 column of numbers and 1 column of categories"),
            std::string::npos)
      << outcome.errors;
  EXPECT_NE(outcome.errors.find("2 missing values left out, pair by pair"), std::string::npos) << outcome.errors;
  EXPECT_EQ(report_of(folder)["points"], 5);
  EXPECT_FALSE(report_of(folder).contains("rows_left_out"));
}

TEST(CommandLineGraph, WhatNeedsRowsRefusesAGraph) {
  for (const std::string simulation : {"k-means", "mean-shift"}) {
    const Outcome outcome = run_program({"run", simulation, "--data", "synthetic:tree,n=20"});
    EXPECT_EQ(flaw_of_error(outcome, 2), "");
    EXPECT_EQ(outcome.errors, "kinescope: error: synthetic:tree,n=20: " + simulation +
                                  " needs a table of numbers, not distances alone (shortest paths over 19 edges); only "
                                  "glimmer can lay out distances\n");
  }
}

TEST(CommandLineGraph, WhatIsNoGraphIsOneLine) {
  const Folder folder;
  folder.write("lengths.csv", "a,b,2\nb,c,-3\n");
  const Outcome outcome =
      run_program({"run", "glimmer", "--data", "lengths.csv", "--set", "metric=graph"}, {.folder = folder.path()});
  EXPECT_EQ(flaw_of_error(outcome, 2), "");
  EXPECT_EQ(outcome.errors,
            "kinescope: error: lengths.csv:2: the length of an edge must be positive, found -3; with --edges-are equal "
            "each edge "
            "is 1 long\n");
}

TEST(CommandLineGraph, DataTellsOfAMadeGraph) {
  const Outcome outcome = run_program({"data", "synthetic:sierpinski,level=2"});
  EXPECT_EQ(outcome.status, 0);
  EXPECT_NE(outcome.out.find("- 15 nodes and 27 edges, sample data\n"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace kinescope::tests::command_line::graph_test
