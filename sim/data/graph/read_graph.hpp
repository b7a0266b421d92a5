// What the readers of graphs share: from the nodes and edges of a file to a table of nodes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/table.hpp"
#include "sim/data/graph/edges.hpp"

namespace kinescope::sim {

// A graph as it stands in a file.
struct GraphInFile {
  Column names;  // of the nodes; empty: they are numbered from 1
  std::size_t nodes = 0;
  std::vector<Edge> edges;             // Edge::length holds the weight; 1 if the edge has none
  bool weighted = false;               // whether any edge has a weight
  std::string weights_name;            // "weight", "value"; "" if the weights have no name
  EdgesAre usual = EdgesAre::lengths;  // what weights of this name, or in this format, usually are
  std::vector<std::size_t> lines;      // [edges] for errors; or empty
  std::string columns;                 // Graph::columns
  std::vector<Column> attributes;      // of the nodes: they annotate
};

// Whether weights of this name are lengths (length, distance, cost, dissimilarity; no name), or strengths (weight,
// value, count, strength, similarity); nullopt for other names. Case does not matter.
std::optional<EdgesAre> usual_weights(std::string_view name);

// The table of nodes: columns node and degree, then the attributes (with a number behind names that occur twice). A
// strength w becomes the length 1/w; edges of strength 0 are dropped and counted. `asked` overrides what is usual.
// Throws Error (input) for a length that is not positive, and a strength that is negative or not finite, with the line
// or the names of the nodes; Error (run) if memory is too small. O(edges · log edges).
Table table_of_graph(const std::string& source, const std::string& format, GraphInFile read, EdgesAre asked);

}  // namespace kinescope::sim
