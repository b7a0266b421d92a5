// Made graphs, as sim/data/made.hpp defines them: all edges are 1 long.
#pragma once

#include <cstddef>
#include <functional>

#include "sim/core/graph.hpp"
#include "sim/core/random.hpp"

namespace kinescope::sim {

using NodeTick = std::function<void(std::size_t node)>;  // called for each node as it is made; may throw

Graph grid_graph(std::size_t n, const NodeTick& tick);
// Rows of a torus of n nodes: the largest divisor of n that is at most √n.
std::size_t torus_rows(std::size_t n);
Graph torus_graph(std::size_t rows, std::size_t columns, const NodeTick& tick);  // both at least 3
// `neighbours` is even and less than n.
Graph small_world_graph(std::size_t n, std::size_t neighbours, double p, const Random& random, const NodeTick& tick);
Graph tree_graph(std::size_t n, std::size_t branching, const NodeTick& tick);
Graph sierpinski_graph(int level, const NodeTick& tick);

}  // namespace kinescope::sim
