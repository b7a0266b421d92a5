#include "sim/data/graph/edges.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>
#include <tuple>
#include <utility>

#include "sim/core/components.hpp"

namespace kinescope::sim {
namespace {

Column numbered_nodes(std::size_t count) {
  std::vector<double> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 1.0);
  return {"", false, std::move(numbers)};
}

}  // namespace

float edge_weight(double weight) {
  const auto kept = static_cast<float>(weight);
  const bool beyond = std::isfinite(weight) && (std::isinf(kept) || (kept == 0 && weight != 0));
  return beyond ? std::numeric_limits<float>::quiet_NaN() : kept;
}

Graph make_graph(std::size_t nodes, std::vector<Edge> edges) {
  Graph graph;
  graph.nodes = nodes;
  graph.loops = std::erase_if(edges, [](const Edge& edge) { return edge.from == edge.to; });
  for (Edge& edge : edges)
    if (edge.from > edge.to) std::swap(edge.from, edge.to);
  const auto order = [](const Edge& edge) { return std::tuple(edge.from, edge.to, edge.length); };
  std::sort(edges.begin(), edges.end(), [&](const Edge& a, const Edge& b) { return order(a) < order(b); });
  const bool all_one = std::all_of(edges.begin(), edges.end(), [](const Edge& edge) { return edge.length == 1; });
  float kept = 0;  // the length of the last edge
  for (const Edge& edge : edges) {
    const bool again = !graph.edges.empty() && graph.edges.back() == std::array{edge.from, edge.to};
    if (again) {
      ++graph.duplicates;
      graph.contradictions += edge.length != kept;
      continue;
    }
    graph.edges.push_back({edge.from, edge.to});
    if (!all_one) graph.lengths.push_back(edge.length);
    kept = edge.length;
  }
  return graph;
}

JoinedNodes::JoinedNodes(std::size_t nodes) : parent_(nodes) {
  std::iota(parent_.begin(), parent_.end(), 0u);
}

std::uint32_t JoinedNodes::root(std::uint32_t node) {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

// The smaller root remains the root, so a component's root is its first node.
void JoinedNodes::join(std::uint32_t a, std::uint32_t b) {
  a = root(a), b = root(b);
  parent_[std::max(a, b)] = std::min(a, b);
}

std::vector<std::uint32_t> JoinedNodes::components() && {
  for (std::uint32_t node = 0; node < parent_.size(); ++node) parent_[node] = root(node);
  return largest_first(std::move(parent_));
}

std::vector<std::uint32_t> components_of(const Graph& graph) {
  JoinedNodes joined(graph.nodes);
  for (const auto& [from, to] : graph.edges) joined.join(from, to);
  return std::move(joined).components();
}

Graph part_of(const Graph& graph, const std::vector<std::size_t>& nodes) {
  if (nodes.size() == graph.nodes) return graph;
  constexpr std::uint32_t absent = 0xFFFFFFFFu;
  std::vector<std::uint32_t> number(graph.nodes, absent);
  for (std::size_t i = 0; i < nodes.size(); ++i) number[nodes[i]] = static_cast<std::uint32_t>(i);
  Graph part = graph;
  part.nodes = nodes.size();
  std::size_t kept = 0;
  for (std::size_t i = 0; i < graph.edges.size(); ++i) {
    const auto [from, to] = graph.edges[i];
    if (number[from] == absent || number[to] == absent) continue;
    part.edges[kept] = {number[from], number[to]};
    if (!part.lengths.empty()) part.lengths[kept] = graph.lengths[i];
    ++kept;
  }
  part.edges.resize(kept);
  part.lengths.resize(part.lengths.empty() ? 0 : kept);
  return part;
}

Table table_of_nodes(const std::string& source, const std::string& format, Graph graph, Column names) {
  Table table;
  table.source = source;
  table.format = format;
  table.rows = graph.nodes;
  if (names.size() == 0) names = numbered_nodes(graph.nodes);
  names.name = "node";
  std::vector<double> degrees(graph.nodes);
  for (const auto& [from, to] : graph.edges) ++degrees[from], ++degrees[to];
  table.columns.push_back(std::move(names));
  table.columns.push_back({"degree", false, std::move(degrees)});
  table.graph = std::make_shared<const Graph>(std::move(graph));
  return table;
}

}  // namespace kinescope::sim
