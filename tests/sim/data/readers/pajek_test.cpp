// Pajek's graphs, KONECT's, and networkx' edge lists.
#include <algorithm>
#include <gtest/gtest.h>
#include <string>

#include "tests/sim/data/graph_cases.hpp"

namespace kinescope::sim::graph_cases::pajek_test {
namespace {

TEST(Pajek, VerticesArcsEdgesListsAndMatrices) {
  const Table table = read(
      "% made by hand\r\n*Vertices 4\r\n1 \"Zoë A\" 0.1 0.2 0.5 ic Red\r\n2 b 0.3 0.4\r\n3 \"x\"\r\n*ARCS :1 "
      "\"knows\"\r\n"
      "1 2 2 c Blue\r\n*edges\r\n2 3 0.5\r\n*Edgeslist\r\n1 3 4\r\n",
      "a.net");
  EXPECT_EQ(table.format, "Pajek");
  EXPECT_EQ(table.columns[0].texts, (Texts{"Zoë A", "b", "x", "4"}));
  EXPECT_EQ(table.graph->edges, (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 2}}));
  EXPECT_EQ(table.graph->lengths, (Floats{2, 1, 1, 0.5f}));
  EXPECT_EQ(table.find("x")->numbers[1], 0.3);
  EXPECT_EQ(table.remarks.front(), "the edges are directed: their directions are ignored");
  EXPECT_EQ(read("*vertices 2\n*edges\n1 2 4\n", "a.net", EdgesAre::strengths).graph->lengths, (Floats{0.25f}));
  const Table matrix = read("*Network n\n*Vertices 3\n*Matrix\n0 1 0\n1 0 2\n0 2 0\n", "a.txt");
  EXPECT_EQ(matrix.graph->edges, (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(matrix.graph->lengths, (Floats{1, 2}));
}

TEST(Pajek, ProjectsAndTwoSetsOfVertices) {
  const Table table = read(
      "% a project\r\n\r\n*Partition of something\r\n*Vertices 2\r\n1\r\n2\r\n*Network first\r\n*Vertices 2\r\n"
      "*Edges\r\n1 2\r\n*Network second\r\n*Vertices 3\r\n*Edges\r\n1 3\r\n",
      "a.paj");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.remarks, (Texts{"'*Partition' is not read", "only the first of several networks is read"}));
  const Table two = read("*Vertices 5 2\n*Matrix\n0 1 1\n1 0 0\n", "a.net");
  EXPECT_EQ(two.graph->edges, (Pairs{{0, 3}, {0, 4}, {1, 2}}));
}

TEST(Pajek, RelationsAreReadAsOneGraph) {
  const Texts one = {"the edges of all relations are read as one graph"};
  const Table prefixed = read("*Vertices 3\n*Edges\n1: 1 2 4\n12: 2 3 5 [1]\n", "a.net");
  EXPECT_EQ(prefixed.graph->edges, (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(prefixed.graph->lengths, (Floats{4, 5}));
  EXPECT_EQ(prefixed.remarks, one);
  const Table matrices = read("*Vertices 2\n*Matrix :1 \"a\"\n0 1\n0 0\n*Matrix :2 \"b\"\n0 0\n0 0\n", "a.net");
  EXPECT_EQ(matrices.graph->edges, (Pairs{{0, 1}}));
  EXPECT_EQ(matrices.remarks, one);
  EXPECT_EQ(read("*Vertices 3\n*Edgeslist\n1: 1 2 3\n", "a.net").graph->edges, (Pairs{{0, 1}, {0, 2}}));
}

TEST(Pajek, WhatStandsAboveTheVerticesIsTold) {
  const Table table = read("A network of mine\n*Vertices 2\n*Edges\n1 2\n", "a.net");
  EXPECT_EQ(table.rows, 2u);
  EXPECT_EQ(table.remarks, (Texts{"what stands before *Vertices is not read"}));
}

TEST(Pajek, ErrorsNameTheLine) {
  EXPECT_EQ(refusal("*Vertices 2\n*Edges\n1 3\n", "a.net"), "a.net:3: expected a vertex, 1 … 2, found '3'");
  EXPECT_EQ(refusal("*Vertices 2\n*Edges\n1\n", "a.net"), "a.net:3: expected a vertex, 1 … 2, found ''");
  EXPECT_EQ(refusal("*Vertices two\n", "a.net"), "a.net:1: expected the number of vertices, found 'two'");
  EXPECT_EQ(refusal("*Network\n*Edges\n1 2\n", "a.net"), "a.net:2: '*Edges' stands before *Vertices");
  EXPECT_EQ(refusal("*Vertices 2\n*Matrix\n0 1\n", "a.net"), "a.net:3: the matrix is cut off: 1 row of 2");
  EXPECT_EQ(refusal("*Vertices 2\n*Matrix\n0 1 1\n1 0\n", "a.net"),
            "a.net:3: expected 2 numbers in a row of the matrix");
  EXPECT_EQ(refusal("*Vertices 2\n*Edges\n1 2 -1\n", "a.net"),
            "a.net:3: the length of an edge must be positive, found -1; with --edges-are equal each edge is 1 long");
}

TEST(Konect, EdgesWithWeightsAndOfTwoSets) {
  const Table table = read("% asym posweighted\n% 3 3 3\n1 2 2 1082008561\n2 3 4 1082008561\n", "out.a");
  EXPECT_EQ(table.format, "KONECT");
  EXPECT_EQ(table.columns[0].numbers, (Floats{1, 2, 3}));
  EXPECT_EQ(table.graph->lengths, (Floats{0.5f, 0.25f}));
  EXPECT_TRUE(read("% sym unweighted\n1\t2\n2\t3\n", "out.b").graph->lengths.empty());
  const Table two = read("% bip unweighted\n1 1\n1 2\n2 1\n", "out.c");
  EXPECT_EQ(two.columns[0].texts, (Texts{"l1", "r1", "r2", "l2"}));
  EXPECT_EQ(two.graph->edges.size(), 3u);
  EXPECT_EQ(refusal("% sym unweighted\n1\n", "out.d"), "out.d:2: expected two nodes, found one");
}

TEST(EdgeLists, AreNoTablesWithBracesInTheirHeader) {
  for (const char* text : {"time, speed {m/s}\n1,2\n2,4\n", "id\tvalue {x}\n1\t2\n2\t3\n"}) {
    const Table table = read_bytes(text);
    EXPECT_FALSE(table.graph) << text;
    EXPECT_EQ(table.rows, 2u) << text;
  }
}

TEST(EdgeListOfNetworkx, AttributesAreADictionary) {
  const Table table =
      read("# made by networkx\n1 2 {}\n2 3 {'kind': \"a, b: 'c'\", 'pos': (1, [2, 3]), 'weight': 4}\n", "a.txt");
  EXPECT_EQ(table.columns[0].numbers, (Floats{1, 2, 3}));
  EXPECT_EQ(table.graph->edges, (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(table.graph->lengths, (Floats{1, 0.25f}));
  EXPECT_EQ(refusal("1 2 {}\n2 3\n", "a.txt"), "a.txt:2: expected two nodes and {attributes}");
}

}  // namespace
}  // namespace kinescope::sim::graph_cases::pajek_test
