// Makes a graph from the edges in a file, and finds a graph's components.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kinescope/graph.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

struct Edge {
  std::uint32_t from = 0, to = 0;
  float length = 1;
};

// A weight as an edge keeps it; NaN if it is beyond float32, too large or too small.
float edge_weight(double weight);

// Drops loops and edges that were named before, in either direction, and counts them; lengths that are all 1 are not
// kept. O(edges · log edges).
Graph make_graph(std::size_t nodes, std::vector<Edge> edges);

// Puts nodes together that a path joins.
class JoinedNodes {
 public:
  explicit JoinedNodes(std::size_t nodes);
  void join(std::uint32_t a, std::uint32_t b);
  // The component of each node, as components_of numbers them. O(nodes + components · log components).
  std::vector<std::uint32_t> components() &&;

 private:
  std::uint32_t root(std::uint32_t node);
  std::vector<std::uint32_t> parent_;
};

// The component of each node, [nodes]. The largest is 0; of equally large ones, that of the first node is before the
// others. O(nodes + edges + components · log components).
std::vector<std::uint32_t> components_of(const Graph& graph);

// The subgraph of these nodes, which are in ascending order, and of the edges among them. O(nodes + edges).
Graph part_of(const Graph& graph, const std::vector<std::size_t>& nodes);

// A table whose rows are the graph's nodes, with the columns node and degree (the number of a node's edges). If the
// nodes have no names, they are numbered from 1.
Table table_of_nodes(const std::string& source, const std::string& format, Graph graph, Column names = {});

}  // namespace kinescope::sim
