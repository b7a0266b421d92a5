// An undirected graph: who is connected, and how long each edge is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace kinescope::sim {

struct Graph {
  std::size_t nodes = 0;
  std::vector<std::array<std::uint32_t, 2>> edges;  // each once, smaller node first, ascending; no loops
  std::vector<float> lengths;                       // [edges], positive; empty: all are 1

  // What was dropped when it was read. Of an edge's different lengths the smallest stays; duplicates with another one
  // are contradictions too.
  std::size_t loops = 0, duplicates = 0, contradictions = 0;
};

}  // namespace kinescope::sim
