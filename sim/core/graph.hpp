// An undirected graph: which nodes are connected, and how long each edge is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kinescope::sim {

struct Graph {
  std::size_t nodes = 0;
  std::vector<std::array<std::uint32_t, 2>> edges;  // each once, smaller node first, ascending; no loops
  std::vector<float> lengths;                       // [edges], positive; empty: all are 1

  // How many edges were dropped when the graph was read. If an edge is repeated with different lengths, the smallest
  // stays; a duplicate with another length counts as a contradiction too.
  std::size_t loops = 0, duplicates = 0, contradictions = 0;

  // Of a table of edges, the columns: "between 'from' and 'to', with the lengths 'km'"; "" for other files.
  std::string columns;
};

}  // namespace kinescope::sim
