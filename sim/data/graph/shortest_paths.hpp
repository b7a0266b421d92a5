// The lengths of the shortest paths of a graph, from one node to all others at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <oneapi/tbb/enumerable_thread_specific.h>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/distance_feeder.hpp"
#include "kinescope/graph.hpp"

namespace kinescope::sim {

// Breadth-first search if all edges are 1 long, O(nodes + edges) a row; else E. Dijkstra's algorithm (1959) with a
// binary heap, O(edges · log edges). Memory: O(nodes + edges), and O(nodes + edges) for each thread that calls row().
class ShortestPaths final : public DistanceFeeder {
 public:
  // Throws Error (input), which names `source`, if a path may be longer than float32 can hold.
  ShortestPaths(std::shared_ptr<const Graph> graph, const std::string& source);

  std::size_t points() const override { return graph_->nodes; }
  // Lengths are added up in double precision, so that both directions of a path give the same float, except where the
  // edges of a path differ in length by a factor of more than 2^19: there the last bit may differ.
  void row(std::size_t from, std::span<float> distances) const override;
  std::string description() const override;

 private:
  struct Scratch {
    std::vector<std::uint32_t> queue;                    // nodes in the order in which they are reached
    std::vector<double> distances;                       // the shortest found so far
    std::vector<std::pair<double, std::uint32_t>> heap;  // nodes to look at, with the distance when they were put there
  };
  void breadth_first(std::uint32_t from, std::span<float> distances, Scratch& scratch) const;
  void dijkstra(std::uint32_t from, std::span<float> distances, Scratch& scratch) const;

  std::shared_ptr<const Graph> graph_;
  // The neighbours of node i, and the lengths to them if they are not all 1, are at begin_[i] … begin_[i + 1] − 1.
  std::vector<std::uint64_t> begin_;
  std::vector<std::uint32_t> neighbours_;
  std::vector<float> lengths_;
  mutable oneapi::tbb::enumerable_thread_specific<Scratch> scratch_;
};

}  // namespace kinescope::sim
