// Graphs: read from Matrix Market files and tables of edges, their largest component, their shortest paths.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <oneapi/tbb/parallel_for.h>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/data/made.hpp"
#include "kinescope/random.hpp"
#include "sim/data/findings.hpp"
#include "sim/data/graph/edges.hpp"
#include "sim/data/graph/shortest_paths.hpp"
#include "tests/sim/data/graph_cases.hpp"

namespace kinescope::sim::graph_test {
namespace {

using graph_cases::path_lengths_of, graph_cases::made, graph_cases::Pairs, graph_cases::Rows;

std::shared_ptr<const Dataset> read_graph(std::string_view bytes, const std::string& name = "edges.csv",
                                          DataRequest request = {}) {
  const TemporaryFolder folder;
  request.source = folder.write(name, bytes);
  request.reading = Reading::graph;
  return load_dataset(request);
}

std::string refusal(std::string_view bytes, const std::string& name = "edges.csv",
                    std::vector<std::string> columns = {}) {
  DataRequest request;
  request.reading = Reading::graph;
  request.columns = std::move(columns);
  return message_of_reading(bytes, name, request);
}

std::string coordinates(const std::string& kind, const std::string& rest) {
  return "%%MatrixMarket matrix coordinate " + kind + "\n" + rest;
}

// All shortest paths of a connected graph by the algorithm of Floyd and Warshall.
Rows all_paths(const Graph& graph) {
  const std::size_t n = graph.nodes;
  std::vector<std::vector<double>> paths(n, std::vector<double>(n, std::numeric_limits<double>::infinity()));
  for (std::size_t i = 0; i < n; ++i) paths[i][i] = 0;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto [a, b] = graph.edges[e];
    paths[a][b] = paths[b][a] = graph.lengths.empty() ? 1 : graph.lengths[e];
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) paths[i][j] = std::min(paths[i][j], paths[i][k] + paths[k][j]);
  Rows rows(n);
  for (std::size_t i = 0; i < n; ++i) rows[i].assign(paths[i].begin(), paths[i].end());
  return rows;
}

TEST(Graph, OfAMatrixMarketPattern) {
  // A path 1–2–3–4 with a loop at 2.
  const auto data = read_graph(coordinates("pattern symmetric", "4 4 4\n2 1\n2 2\n3 2\n4 3\n"), "a.mtx");
  EXPECT_EQ(data->points, 4u);
  EXPECT_EQ(data->dimensions, 0u);
  EXPECT_TRUE(data->values().empty());
  EXPECT_FALSE(data->sparse());
  EXPECT_EQ(data->graph->edges, (Pairs{{0, 1}, {1, 2}, {2, 3}}));
  EXPECT_TRUE(data->graph->lengths.empty());
  EXPECT_EQ(data->graph->loops, 1u);
  EXPECT_EQ(path_lengths_of(*data->distances()), (Rows{{0, 1, 2, 3}, {1, 0, 1, 2}, {2, 1, 0, 1}, {3, 2, 1, 0}}));
  EXPECT_EQ(data->distances()->description(), "shortest paths over 3 edges");
  EXPECT_EQ(data->table.find("node")->numbers, (std::vector<float>{1, 2, 3, 4}));
  EXPECT_EQ(data->table.find("degree")->numbers, (std::vector<float>{1, 2, 2, 1}));
  EXPECT_TRUE(data->rows_left_out.empty());
  EXPECT_EQ(data->table.graph, data->graph);
}

TEST(Graph, ValuesOfAMatrixAreLengthsAndTheSmallerHolds) {
  // 1–2 is 5 long one way and 2 the other; 1–3 is 10 long, so that the way through 2 is shorter.
  const auto data = read_graph(coordinates("real general", "3 3 5\n1 2 5\n2 1 2\n2 3 4\n3 2 4\n1 3 10\n"), "a.mtx");
  EXPECT_EQ(data->graph->edges, (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(data->graph->lengths, (std::vector<float>{2, 10, 4}));
  EXPECT_EQ(data->graph->duplicates, 2u);
  EXPECT_EQ(data->graph->contradictions, 1u);
  EXPECT_EQ(path_lengths_of(*data->distances()), (Rows{{0, 2, 6}, {2, 0, 4}, {6, 4, 0}}));
  EXPECT_EQ(data->findings->sentences(),
            (std::vector<std::string>{"3 nodes and 3 edges, Matrix Market coordinates",
                                      "distances are shortest paths; edges are 2 to 10 long",
                                      "2 repeated edges dropped, in the same or the other direction",
                                      "1 of them had another length; the shortest is kept"}));
}

TEST(Graph, OfATableOfNames) {
  const auto data = read_graph("from,to,km\nUlm,Bonn,400\nBonn,Kiel,500\nKiel,Ulm,800\nUlm,Ulm,3\n");
  EXPECT_EQ(data->table.find("node")->texts, (std::vector<std::string>{"Ulm", "Bonn", "Kiel"}));
  EXPECT_EQ(path_lengths_of(*data->distances()), (Rows{{0, 400, 800}, {400, 0, 500}, {800, 500, 0}}));
  EXPECT_EQ(data->findings->sentences(),
            (std::vector<std::string>{"3 nodes and 3 edges between 'from' and 'to', with the lengths 'km', from a CSV",
                                      "distances are shortest paths; edges are 400 to 800 long",
                                      "1 edge from a node to itself dropped",
                                      "row 1 is the header: 'km' stands above numbers"}));
}

TEST(Graph, NamesTheColumnsAndTheFileOfItsEdges) {
  const auto data = read_graph("1 2\n2 3\n3 4\n4 1\n", "e.txt");
  EXPECT_EQ(data->findings->sentences().front(),
            "4 nodes and 4 edges between 'c0' and 'c1', from a CSV separated by blanks");
}

TEST(Graph, OfATableOfNumbers) {
  const auto data = read_graph("# a comment\n7 3\n3 20\n20 7\n7 7\n3 7\n", "edges.txt");
  EXPECT_EQ(data->table.find("node")->numbers, (std::vector<float>{3, 7, 20}));
  EXPECT_EQ(data->graph->edges, (Pairs{{0, 1}, {0, 2}, {1, 2}}));
  EXPECT_EQ(data->graph->loops, 1u);
  EXPECT_EQ(data->graph->duplicates, 1u);
  EXPECT_EQ(read_graph("1000000001,1000000002\n1000000002,1000000003\n")->table.find("node")->numbers,
            (Numbers{1000000001, 1000000002, 1000000003}));
  // Numbers that double cannot tell apart are still different nodes.
  for (const std::string first : {"900719925474099", "1844674407370955161", "12345678901234567890123456789"}) {
    const auto long_ids = read_graph(first + "1," + first + "2\n" + first + "2," + first + "3\n");
    EXPECT_EQ(long_ids->graph->edges, (Pairs{{0, 1}, {1, 2}})) << first;
    EXPECT_EQ(long_ids->table.find("node")->texts, (std::vector<std::string>{first + "1", first + "2", first + "3"}));
  }
  // Numbers and texts may name nodes of the same graph.
  EXPECT_EQ(read_graph("ada,1\nbob,1\nbob,2\n")->table.find("node")->texts,
            (std::vector<std::string>{"ada", "1", "bob", "2"}));
}

TEST(Graph, AFirstRowThatNamesNodesIsAnEdge) {
  const std::string list = "ada,bob\nbob,cy\nbob,dan\ncy,dan\ncy,eve\neve,dan\n";
  EXPECT_TRUE(read_bytes(list).has_header);  // as a table of texts, of which 'ada' never recurs
  const auto data = read_graph(list);
  EXPECT_EQ(data->graph->edges.size(), 6u);
  EXPECT_EQ(data->table.find("node")->texts, (std::vector<std::string>{"ada", "bob", "cy", "dan", "eve"}));
  EXPECT_EQ(data->findings->sentences().back(), "no header: row 1 has nodes that are also in other rows");
  EXPECT_EQ(read_graph(list, "edges.csv", {.format = {.header = Header::yes}})->graph->edges.size(), 5u);
}

TEST(Graph, NamesKeepTheirZeros) {
  using Names = std::vector<std::string>;
  const auto numbers = read_graph("from,to\n007,7\n7,8\n");
  EXPECT_EQ(numbers->table.find("node")->texts, (Names{"007", "7", "8"}));
  EXPECT_EQ(numbers->graph->edges.size(), 2u);
  const auto mixed = read_graph("from,to,length\nAnn,007,1\n007,008,1\n008,009,1\n");
  EXPECT_EQ(mixed->table.find("node")->texts, (Names{"Ann", "007", "008", "009"}));
  const auto headless = read_graph("007,7\n7,8\n8,007\n");
  EXPECT_EQ(headless->table.find("node")->texts, (Names{"007", "7", "8"}));
  EXPECT_EQ(headless->graph->edges.size(), 3u);
}

TEST(Graph, WeightsThatAreTextsAreTold) {
  const auto said = [](const std::string& bytes) {
    const std::vector<std::string> sentences = read_graph(bytes)->findings->sentences();
    std::string all;
    for (const std::string& each : sentences) all += each + "\n";
    return all;
  };
  EXPECT_NE(said("from,to,weight\na,b,5\nb,c,\"2,500\"\nc,d,7\n")
                .find("--numbers weight` reads its numbers: it does not weigh"),
            std::string::npos);
  EXPECT_NE(
      said("from,to,weight\na,b,<1>\nb,c,<2>\nc,d,<2>\n").find("'weight' holds texts: it does not weigh the edges"),
      std::string::npos);
}

TEST(Graph, ValuesOfAMatrixAreStrengthsIfSaid) {
  const std::string bytes = "%%MatrixMarket matrix coordinate real symmetric\n4 4 2\n2 1 0.5\n3 2 2\n";
  const auto strengths = read_graph(bytes, "a.mtx", {.edges_are = EdgesAre::strengths});
  EXPECT_EQ(strengths->graph->lengths, (std::vector<float>{2, 0.5f}));
  EXPECT_EQ(strengths->graph->weights, EdgeWeights::strengths);
  EXPECT_EQ(read_graph(bytes, "a.mtx")->graph->weights, EdgeWeights::lengths);
}

TEST(Graph, WeightsMayBeLeftOut) {
  const std::string zeros = "from,to,weight\n1,2,0\n2,3,0\n", negative = "from,to,weight\n1,2,-1\n2,3,4\n";
  const std::string advice = "with --edges-are equal each edge is 1 long";
  EXPECT_NE(input_message([&] { read_graph(zeros, "a.csv"); }).find("2 edges of strength 0 dropped; " + advice),
            std::string::npos);
  EXPECT_NE(input_message([&] { read_graph(negative, "a.csv"); }).find("negative, found -1; " + advice),
            std::string::npos);
  for (const std::string& bytes : {zeros, negative}) {
    const auto data = read_graph(bytes, "a.csv", {.edges_are = EdgesAre::equal});
    EXPECT_EQ(data->graph->edges.size(), 2u);
    EXPECT_TRUE(data->graph->lengths.empty());
    EXPECT_EQ(data->graph->weights, EdgeWeights::none);
  }
}

TEST(Graph, AdjacencyThatIsNearlyOneSaysWhy) {
  const auto refused = [](const std::string& bytes) { return input_message([&] { read_graph(bytes, "a.csv"); }); };
  EXPECT_NE(refused(",a,b,c\na,0,1,0\nb,yes,0,1\nc,0,1,0\n")
                .find("column 'a' of a table of adjacency holds texts, not numbers"),
            std::string::npos);
  EXPECT_NE(refused(",a,b,x\na,0,1,0\nb,1,0,1\nc,0,1,0\n").find("no column is called 'c'"), std::string::npos);
}

TEST(Graph, BlanksSeparateTheWordsOfEdges) {
  const auto data = read_graph("ada bob\nbob cy\nbob dan\ncy dan\n", "edges.txt");
  EXPECT_EQ(data->graph->edges.size(), 4u);
  EXPECT_EQ(data->table.find("node")->texts, (std::vector<std::string>{"ada", "bob", "cy", "dan"}));
  const auto weighted = read_graph("ada bob 2\nbob cy 3\nbob dan 4\n", "edges.txt");
  EXPECT_EQ(weighted->graph->lengths, (std::vector<float>{2, 3, 4}));
}

TEST(Graph, TheThirdColumnIsTheLengthUnlessAnotherIsNamedSo) {
  const std::string table = "a,b,year,Weight\n1,2,1990,2\n2,3,2000,4\n";
  EXPECT_EQ(read_graph(table)->graph->lengths, (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(read_graph(table, "edges.csv", {.edges_are = EdgesAre::lengths})->graph->lengths,
            (std::vector<float>{2, 4}));
  EXPECT_EQ(read_graph("a,b,year\n1,2,1990\n2,3,2000\n")->graph->lengths, (std::vector<float>{1990, 2000}));
  EXPECT_TRUE(read_graph("a,b,kind\n1,2,x\n2,3,y\n")->graph->lengths.empty());
  EXPECT_TRUE(read_graph(table, "edges.csv", {.columns = {"b", "a"}})->graph->lengths.empty());
  EXPECT_EQ(read_graph(table, "edges.csv", {.columns = {"a", "b", "year"}})->graph->lengths,
            (std::vector<float>{1990, 2000}));
}

TEST(Graph, AllComponentsStayUnlessOneIsAskedFor) {
  const auto data = read_graph(coordinates("pattern general", "6 6 3\n1 2\n3 4\n4 5\n"), "a.mtx");
  EXPECT_EQ(data->points, 6u);
  EXPECT_EQ(data->components, (std::vector<std::uint32_t>{1, 1, 0, 0, 0, 2}));
  EXPECT_EQ(data->pairs_left_out, 11u);  // 15 − 1 − 3
  std::vector<float> row(6);
  data->distances()->row(4, row);
  for (const std::size_t other : {0, 1, 5}) EXPECT_TRUE(std::isnan(row[other])) << other;
  EXPECT_EQ(row[2], 2);
}

TEST(Graph, OfSeveralComponentsTheLargestStaysIfAskedFor) {
  // 1–2, 3–4–5, 6 alone; nodes 3, 4 and 5 stay.
  const auto data = read_graph(coordinates("pattern general", "6 6 3\n1 2\n3 4\n4 5\n"), "a.mtx",
                               {.components = Components::largest});
  EXPECT_EQ(data->points, 3u);
  EXPECT_TRUE(data->components.empty());
  EXPECT_EQ(data->graph->nodes, 3u);
  EXPECT_EQ(data->graph->edges, (Pairs{{0, 1}, {1, 2}}));
  EXPECT_EQ(data->rows_left_out, (std::vector<std::size_t>{1, 2, 6}));
  EXPECT_EQ(data->table.find("node")->numbers, (std::vector<float>{3, 4, 5}));
  EXPECT_EQ(data->table.rows, 3u);
  EXPECT_EQ(path_lengths_of(*data->distances()), (Rows{{0, 1, 2}, {1, 0, 1}, {2, 1, 0}}));
  EXPECT_EQ(data->findings->sentences(), (std::vector<std::string>{"6 nodes and 3 edges, Matrix Market coordinates",
                                                                   "distances are shortest paths; each edge is 1 long",
                                                                   "3 nodes left out in 2 smaller components"}));
  // Of equally large components the first stays; the lengths of the others are dropped with them.
  const auto first = read_graph("a,b,2\nc,d,5\n", "edges.csv", {.components = Components::largest});
  EXPECT_EQ(first->table.find("node")->texts, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(first->graph->lengths, std::vector<float>{2});
}

TEST(Graph, PathsAreThoseOfFloydAndWarshall) {
  const Random random(1, 77);
  for (const bool weighted : {false, true}) {
    std::vector<Edge> edges;
    const std::uint32_t n = 60;
    for (std::uint32_t i = 1; i < n; ++i) edges.push_back({uniform_below(random.words(i)[0], i), i});  // a tree
    for (std::uint32_t i = 0; i < 90; ++i)
      edges.push_back({uniform_below(random.words(i, 1)[0], n), uniform_below(random.words(i, 1)[1], n)});
    for (std::uint32_t i = 0; weighted && i < edges.size(); ++i) edges[i].length = 0.01f + random.uniform(i, 2);
    const auto graph = std::make_shared<const Graph>(make_graph(n, edges));
    EXPECT_EQ(graph->lengths.empty(), !weighted);
    const Rows expected = all_paths(*graph), found = path_lengths_of(ShortestPaths(graph, "test"));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) {
        EXPECT_FLOAT_EQ(found[i][j], expected[i][j]);
        EXPECT_EQ(found[i][j], found[j][i]);
      }
  }
}

TEST(Graph, ManyThreadsAskAtOnce) {
  const auto data = made("small-world,n=500,k=4,p=0.1");
  const Rows expected = path_lengths_of(*data->distances());
  Rows found(500, std::vector<float>(500));
  oneapi::tbb::parallel_for(std::size_t{0}, std::size_t{500},
                            [&](std::size_t i) { data->distances()->row(i, found[i]); });
  EXPECT_EQ(found, expected);
}

TEST(Graph, WhatIsNoGraphIsRefusedInOneLine) {
  EXPECT_EQ(refusal(coordinates("pattern general", "2 3 1\n1 2\n"), "a.mtx"),
            "a.mtx:2: metric=graph needs a square matrix of coordinates, not 2 × 3");
  EXPECT_EQ(refusal("%%MatrixMarket matrix array real general\n1 1\n1\n", "a.mtx"),
            "a.mtx:2: metric=graph needs a square matrix of coordinates, not an array");
  EXPECT_EQ(refusal(coordinates("real skew-symmetric", "2 2 1\n2 1 3\n"), "a.mtx"),
            "a.mtx:2: metric=graph needs a square matrix of coordinates, not a skew-symmetric one");
  EXPECT_EQ(refusal(coordinates("pattern general", "2 2 1\n1 3\n"), "a.mtx"), "a.mtx:3: column 3 is outside 1 … 2");
  EXPECT_EQ(refusal(coordinates("real general", "2 2 1\n1 2 -1\n"), "a.mtx"),
            "a.mtx:3: the length of an edge must be positive, found '-1'");
  EXPECT_EQ(refusal(coordinates("real general", "2 2 1\n1 2 0\n"), "a.mtx"),
            "a.mtx:3: the length of an edge must be positive, found '0'");
  EXPECT_EQ(refusal(coordinates("pattern general", "1 1 0\n"), "a.mtx"), "a.mtx: no edge connects two nodes");
  EXPECT_EQ(refusal(coordinates("pattern general", "5 5 1\n2 2\n"), "a.mtx"), "a.mtx: no edge connects two nodes");
  EXPECT_EQ(refusal("a,a\nb,b\n"), "edges.csv: no edge connects two nodes");
  EXPECT_EQ(
      refusal("a,b,2\nb,c,-3\n"),
      "edges.csv:2: the length of an edge must be positive, found -3; with --edges-are equal each edge is 1 long");
  EXPECT_EQ(refusal("a,b,2\nb,c,0\n"),
            "edges.csv:2: the length of an edge must be positive, found 0; with --edges-are equal each edge is 1 long");
  EXPECT_EQ(refusal("a,b,2\nb,c,\n"), "edges.csv:2: the weight of this edge is missing");
  EXPECT_EQ(refusal("a,b\nb,\n"),
            "edges.csv:2: a node of this edge is missing; if it is a name such as NA, `--text c0,c1` keeps it");
  EXPECT_EQ(refusal("x,y\n1,2\n1.5,3\n"),
            "edges.csv:3: column 'x' must name nodes by whole numbers or texts; found 1.5");
  EXPECT_EQ(refusal("a\nb\n"),
            "edges.csv: metric=graph needs a square Matrix Market file, or a table whose first two columns name nodes");
  EXPECT_EQ(refusal("anna bob\nbob cleo de witt\n"),
            "edges.csv: metric=graph needs a square Matrix Market file, or a table whose first two columns name nodes; "
            "this table has one column: separate the names by a comma, a semicolon or a tab");
  EXPECT_EQ(refusal("1 1:2\n2 1:3\n", "a.svm"),
            "a.svm: metric=graph needs a square Matrix Market file, or a table whose first two columns name nodes");
  EXPECT_EQ(refusal("x,y\n1,2\n", "edges.csv", {"x"}),
            "edges.csv: --columns: a graph needs two columns of nodes, and optionally a column of weights");
  EXPECT_EQ(refusal("a,b,3e38\nb,c,3e38\n"),
            "edges.csv: edges of length 3e+38 make paths that are too long for float32");
}

TEST(Graph, AFalseSizeTakesNoMemory) {
  const std::string message =
      input_message([&] { read_graph(coordinates("pattern general", "2147483647 2147483647 1\n1 2\n"), "a.mtx"); });
  EXPECT_NE(message.find("77 bytes would become 2,147,483,647 rows"), std::string::npos) << message;
}

TEST(Graph, EveryPrefixIsReadOrRefused) {
  const auto expect_sound = [](const std::string& whole, const std::string& name) {
    int read = 0, refused = 0;
    for (std::size_t length = 0; length <= whole.size(); ++length) try {
        const auto data = read_graph(whole.substr(0, length), name);
        ++read;
        ASSERT_EQ(data->table.rows, data->points);
        for (const auto& [from, to] : data->graph->edges) ASSERT_TRUE(from < to && to < data->points);
        for (const auto& row : path_lengths_of(*data->distances()))
          for (const float distance : row)
            ASSERT_TRUE(std::isnan(distance) ? !data->components.empty() : std::isfinite(distance) && distance >= 0);
      } catch (const Error& error) {
        EXPECT_EQ(std::string_view(error.what()).find('\n'), std::string_view::npos) << error.what();
        ++refused;
      }
    EXPECT_GT(read, 0);
    EXPECT_GT(refused, 5);
  };
  expect_sound(coordinates("real general", "4 4 4\n1 2 5\n2 1 2.5\n2 3 4\n4 4 -1\n"), "a.mtx");
  expect_sound("from,to,length\nada,bob,2.5\nbob,cy,1e3\ncy,ada,7\neve,dan,1\n", "a.csv");
}

TEST(Graph, ThePowerNetworkOfRealData) {
  DataRequest request{tests::data_file("bcspwr10.mtx")};
  if (request.source.empty()) GTEST_SKIP() << "bcspwr10.mtx is absent";
  request.reading = Reading::graph;
  const auto data = load_dataset(request);
  EXPECT_EQ(data->points, 5300u);
  EXPECT_EQ(data->graph->edges.size(), 8271u);
  EXPECT_EQ(data->graph->loops, 5300u);
  EXPECT_TRUE(data->rows_left_out.empty());
  std::vector<float> row(data->points), back(data->points);
  data->distances()->row(0, row);
  for (const std::size_t node : {1u, 777u, 5299u}) {
    data->distances()->row(node, back);
    EXPECT_EQ(back[0], row[node]);
  }
  // The distances of an edge's two nodes from node 0 differ by at most one.
  for (const auto& [a, b] : data->graph->edges) ASSERT_LE(std::abs(row[a] - row[b]), 1);
}

}  // namespace
}  // namespace kinescope::sim::graph_test
