// Graphs that are made: their edges, their distances, and sizes that are none.
#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <string>

#include "kinescope/data/made.hpp"
#include "tests/sim/data/graph_cases.hpp"

namespace kinescope::sim::made_graphs_test {
namespace {

using graph_cases::path_lengths_of, graph_cases::made, graph_cases::Pairs, graph_cases::Rows;

std::map<float, int> degrees(const Dataset& data) {
  std::map<float, int> counts;
  for (const float degree : data.table.find("degree")->numbers) ++counts[degree];
  return counts;
}

TEST(MadeGraphs, GridsAndToriHaveTheirDistances) {
  const auto grid = made("grid-graph,n=12");  // four wide, three high
  ASSERT_EQ(grid->points, 12u);
  const Rows paths = path_lengths_of(*grid->distances());
  for (int i = 0; i < 12; ++i)
    for (int j = 0; j < 12; ++j) EXPECT_EQ(paths[i][j], std::abs(i % 4 - j % 4) + std::abs(i / 4 - j / 4));
  EXPECT_EQ(made("grid-graph,n=5")->graph->edges, (Pairs{{0, 1}, {0, 3}, {1, 2}, {1, 4}, {3, 4}}));
  const auto torus = made("torus-graph,n=20");  // five wide, four high
  const Rows rings = path_lengths_of(*torus->distances());
  const auto around = [](int a, int b, int n) { return std::min((a - b + n) % n, (b - a + n) % n); };
  for (int i = 0; i < 20; ++i)
    for (int j = 0; j < 20; ++j) EXPECT_EQ(rings[i][j], around(i % 5, j % 5, 5) + around(i / 5, j / 5, 4));
  EXPECT_EQ(degrees(*made("torus-graph,n=9")), (std::map<float, int>{{4, 9}}));
}

TEST(MadeGraphs, SmallWorldsKeepTheirEdgesAndShrink) {
  const auto ring = made("small-world,n=200,k=4,p=0"), small = made("small-world,n=200,k=4,p=0.2");
  EXPECT_EQ(degrees(*ring), (std::map<float, int>{{4, 200}}));
  EXPECT_EQ(path_lengths_of(*ring->distances())[0][100], 50);
  EXPECT_EQ(small->graph->edges.size(), 400u);
  EXPECT_EQ(small->graph->loops + small->graph->duplicates, 0u);
  std::size_t moved = 0;
  for (const auto& [a, b] : small->graph->edges) moved += std::min(b - a, 200 - (b - a)) > 2;
  EXPECT_NEAR(static_cast<double>(moved), 80, 5 * std::sqrt(80 * 0.8));
  const auto mean = [](const Rows& rows) {
    double sum = 0;
    for (const auto& row : rows)
      for (const float distance : row) sum += distance;
    return sum / static_cast<double>(rows.size() * (rows.size() - 1));
  };
  EXPECT_LT(mean(path_lengths_of(*small->distances())), 0.3 * mean(path_lengths_of(*ring->distances())));
  EXPECT_EQ(made("small-world,n=200,k=4,p=0.2")->graph->edges, small->graph->edges);
  EXPECT_NE(made("small-world,n=200,k=4,p=0.2,seed=2")->graph->edges, small->graph->edges);
  EXPECT_EQ(made("small-world,n=5,k=4,p=1")->graph->edges.size(), 10u);  // all pairs: nothing can move
}

TEST(MadeGraphs, TreesAndSierpinskiTriangles) {
  EXPECT_EQ(made("tree,n=7,branching=3")->graph->edges, (Pairs{{0, 1}, {0, 2}, {0, 3}, {1, 4}, {1, 5}, {1, 6}}));
  EXPECT_EQ(made("tree,n=1000,branching=4")->graph->edges.size(), 999u);
  EXPECT_EQ(made("sierpinski,level=1")->graph->edges,
            (Pairs{{0, 1}, {0, 3}, {1, 2}, {1, 3}, {1, 4}, {2, 4}, {3, 4}, {3, 5}, {4, 5}}));
  for (int level = 0; level <= 6; ++level) {
    const auto data = made("sierpinski,level=" + std::to_string(level));
    const auto power = static_cast<std::size_t>(std::lround(std::pow(3, level)));
    EXPECT_EQ(data->points, 3 * (power + 1) / 2);
    EXPECT_EQ(data->graph->edges.size(), 3 * power);
    EXPECT_TRUE(data->rows_left_out.empty());
    std::map<float, int> expected = {{2, 3}};  // the three corners
    if (level > 0) expected[4] = static_cast<int>(data->points) - 3;
    EXPECT_EQ(degrees(*data), expected);
    // The path from corner to corner along a side.
    EXPECT_EQ(path_lengths_of(*data->distances()).front().back(), 1 << level);
  }
}

TEST(MadeGraphs, WrongSizesAreRefused) {
  const auto message = [](const std::string& text) { return input_message([&] { made(text); }); };
  EXPECT_EQ(message("torus-graph,n=26"),
            "synthetic:torus-graph,n=26: n: expected a product of two whole numbers of at least 3, found '26'");
  EXPECT_EQ(message("small-world,k=3"), "synthetic:small-world,k=3: k: expected an even number less than n, found '3'");
  EXPECT_EQ(message("small-world,n=6,k=6"),
            "synthetic:small-world,n=6,k=6: k: expected an even number less than n, found '6'");
  EXPECT_EQ(message("small-world,p=2"), "synthetic:small-world,p=2: p: expected a number from 0 to 1, found '2'");
  EXPECT_EQ(message("sierpinski,level=16"),
            "synthetic:sierpinski,level=16: level: expected a whole number from 0 to 15, found '16'");
  EXPECT_EQ(message("tree,n=1"), "synthetic:tree,n=1: no edge connects two nodes");
  EXPECT_TRUE(is_made_graph("synthetic:tree,n=3"));
  EXPECT_FALSE(is_made_graph("synthetic:grid"));
  EXPECT_FALSE(is_made_graph("tree"));
}

TEST(MadeGraphs, CanBeCancelled) {
  LoadProgress progress;
  progress.cancelled = true;
  for (const std::string kind : {"grid-graph", "torus-graph", "small-world", "tree", "sierpinski"})
    EXPECT_THROW(make_data("synthetic:" + kind, &progress), Cancelled) << kind;
}

}  // namespace
}  // namespace kinescope::sim::made_graphs_test
