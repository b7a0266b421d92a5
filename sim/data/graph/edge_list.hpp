// A table of edges. Its columns source and target, or from and to, name the nodes that an edge connects, by whole
// numbers or texts; without these names its first two columns do. The edge's
// weight is in a further column of numbers whose name says so (usual_weights), else in the third column if it has
// numbers; else all edges are 1 long. Or a table of adjacency, whose first column and header name the same nodes: each
// value but 0 is an edge, and its length.
#pragma once

#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

// The table of the nodes, in ascending order if they are numbers, else in the order of their first mention. `columns`
// may name the two columns of nodes, and as a third the column of weights. Throws Error (input), with the line if there
// is one, for fewer than two columns, for names that are neither whole numbers nor texts, for a missing name or weight,
// and as table_of_graph does. Throws Error (run) if memory is too small. O(edges · log edges).
Table table_of_edges(const Table& edges, const std::vector<std::string>& columns, EdgesAre asked);

// The columns of numbers that name nodes and tell more of them apart as texts: some numbers begin with zeros, or texts
// name the other ends. `columns`: those asked for, or none. O(columns).
std::vector<std::string> ends_to_read_as_texts(const Table& table, const std::vector<std::string>& columns);

// Whether the only column holds two or three words in each row, of which blanks make the nodes of an edge and its
// weight. O(characters).
bool words_are_edges(const Table& table);

// Whether the name of one of the first two columns also occurs as a node, so that row 1 is an edge rather than a
// header. O(rows).
bool header_is_an_edge(const Table& table);

}  // namespace kinescope::sim
