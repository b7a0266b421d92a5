// A table of edges: its first two columns name the nodes that an edge connects, by whole numbers or texts; a third
// column of numbers named weight, length or distance is the edge's length, else the third column if it has numbers,
// else all edges are 1 long.
#pragma once

#include <string>
#include <vector>

#include "sim/core/table.hpp"

namespace kinescope::sim {

// The table of the nodes, in ascending order if they are numbers, else in the order of their first mention. If
// `columns` are named, they are the two of nodes and, if there is a third, that of lengths. Throws Error (input), with
// the line where there is one: fewer than two columns, names that are neither whole numbers nor texts, a missing name
// or length, a length that is not positive; and if memory is too small. O(edges · log edges).
Table table_of_edges(const Table& edges, const std::vector<std::string>& columns);

// Whether the names of the first two columns name nodes too, so that they are an edge rather than a header. O(rows).
bool header_is_an_edge(const Table& table);

}  // namespace kinescope::sim
