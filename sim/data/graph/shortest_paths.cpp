#include "sim/data/graph/shortest_paths.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "kinescope/error.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {

ShortestPaths::ShortestPaths(std::shared_ptr<const Graph> graph, const std::string& source)
    : graph_(std::move(graph)), begin_(graph_->nodes + 1) {
  const auto& edges = graph_->edges;
  const auto& lengths = graph_->lengths;
  if (!lengths.empty()) {
    const double longest = *std::max_element(lengths.begin(), lengths.end());
    if (longest * static_cast<double>(graph_->nodes - 1) > std::numeric_limits<float>::max())
      throw input_error(source + ": edges of length " + number_text(static_cast<float>(longest)) +
                        " make paths that are too long for float32");
  }
  for (const auto& [from, to] : edges) ++begin_[from + 1], ++begin_[to + 1];
  for (std::size_t node = 0; node < graph_->nodes; ++node) begin_[node + 1] += begin_[node];
  neighbours_.resize(2 * edges.size());
  lengths_.resize(2 * lengths.size());
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  const auto put = [&](std::uint32_t node, std::uint32_t neighbour, std::size_t edge) {
    if (!lengths.empty()) lengths_[next[node]] = lengths[edge];
    neighbours_[next[node]++] = neighbour;
  };
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    put(edges[edge][0], edges[edge][1], edge);
    put(edges[edge][1], edges[edge][0], edge);
  }
}

void ShortestPaths::row(std::size_t from, std::span<float> distances) const {
  Scratch& scratch = scratch_.local();
  const auto node = static_cast<std::uint32_t>(from);
  lengths_.empty() ? breadth_first(node, distances, scratch) : dijkstra(node, distances, scratch);
}

void ShortestPaths::breadth_first(std::uint32_t from, std::span<float> distances, Scratch& scratch) const {
  constexpr float unreached = -1;
  std::fill(distances.begin(), distances.end(), unreached);
  scratch.queue.resize(graph_->nodes);
  std::uint32_t* const queue = scratch.queue.data();
  std::size_t end = 0;
  queue[end++] = from;
  distances[from] = 0;
  for (std::size_t at = 0; at < end; ++at) {
    const std::uint32_t node = queue[at];
    const float next = distances[node] + 1;
    for (std::uint64_t i = begin_[node]; i < begin_[node + 1]; ++i) {
      const std::uint32_t neighbour = neighbours_[i];
      if (distances[neighbour] != unreached) continue;
      distances[neighbour] = next;
      queue[end++] = neighbour;
    }
  }
  if (end < graph_->nodes)
    std::replace(distances.begin(), distances.end(), unreached, std::numeric_limits<float>::quiet_NaN());
}

void ShortestPaths::dijkstra(std::uint32_t from, std::span<float> distances, Scratch& scratch) const {
  std::vector<double>& shortest = scratch.distances;
  auto& heap = scratch.heap;
  const std::greater<> later;  // the nearest node is on top
  shortest.assign(graph_->nodes, std::numeric_limits<double>::infinity());
  shortest[from] = 0;
  heap.assign(1, {0, from});
  while (!heap.empty()) {
    const auto [distance, node] = heap.front();
    std::pop_heap(heap.begin(), heap.end(), later);
    heap.pop_back();
    if (distance > shortest[node]) continue;  // a shorter way was found since
    for (std::uint64_t i = begin_[node]; i < begin_[node + 1]; ++i) {
      const std::uint32_t neighbour = neighbours_[i];
      const double through = distance + lengths_[i];
      if (through >= shortest[neighbour]) continue;
      shortest[neighbour] = through;
      heap.emplace_back(through, neighbour);
      std::push_heap(heap.begin(), heap.end(), later);
    }
  }
  for (std::size_t node = 0; node < graph_->nodes; ++node)
    distances[node] =
        std::isinf(shortest[node]) ? std::numeric_limits<float>::quiet_NaN() : static_cast<float>(shortest[node]);
}

std::string ShortestPaths::description() const {
  return "shortest paths over " + count_of(graph_->edges.size(), "edge");
}

}  // namespace kinescope::sim
