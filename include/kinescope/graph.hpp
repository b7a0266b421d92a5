// An undirected graph: which nodes are connected, and how long each edge is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kinescope::sim {

// What the weights of a graph's edges were taken for. A strength w makes an edge 1/w long.
enum class EdgeWeights { none, lengths, strengths };

struct Graph {
  std::size_t nodes = 0;
  std::vector<std::array<std::uint32_t, 2>> edges;  // each once, smaller node first, ascending; no loops
  std::vector<float> lengths;                       // [edges], positive; empty: all are 1

  // How many edges were dropped when the graph was read. If an edge is repeated with different lengths, the smallest
  // stays; a duplicate with another length counts as a contradiction too.
  std::size_t loops = 0, duplicates = 0, contradictions = 0;

  std::size_t no_strength = 0;  // edges of strength 0, which were dropped

  EdgeWeights weights = EdgeWeights::none;
  std::string weights_name;        // of the column or the attribute that holds them; "" if it has none
  bool asked_for_weights = false;  // the request said what the weights are

  // Of a table of edges, the columns of nodes: "between 'from' and 'to'"; "" for other files.
  std::string columns;
};

}  // namespace kinescope::sim
