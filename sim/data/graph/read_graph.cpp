#include "sim/data/graph/read_graph.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

std::string name_of(const GraphInFile& read, std::uint32_t node) {
  if (read.names.size() == 0) return std::to_string(node + 1);
  return read.names.is_text ? shown(read.names.texts[node]) : number_text(read.names.numbers, node);
}

// The error about one edge's weight.
Error weight_error(const std::string& source, const GraphInFile& read, std::size_t edge, const std::string& what) {
  const Edge& wrong = read.edges[edge];
  const std::string found = std::isnan(wrong.length) ? "the weight of an edge is beyond float32"
                                                     : what + ", found " + number_text(wrong.length);
  const std::string message = found + "; " + with_equal_edges;
  if (!read.lines.empty()) return file_error(source, read.lines[edge], message);
  return file_error(source,
                    "between " + name_of(read, wrong.from) + " and " + name_of(read, wrong.to) + ": " + message);
}

void check_lengths(const std::string& source, const GraphInFile& read) {
  for (std::size_t i = 0; i < read.edges.size(); ++i)
    if (const float length = read.edges[i].length; !(length > 0) || std::isinf(length))
      throw weight_error(
          source, read, i,
          std::isinf(length) ? "the length of an edge must be finite" : "the length of an edge must be positive");
}

// Strengths become lengths. Returns how many edges have none, which are dropped.
std::size_t make_lengths(const std::string& source, GraphInFile& read) {
  for (std::size_t i = 0; i < read.edges.size(); ++i) {
    float& weight = read.edges[i].length;
    if (!(weight >= 0) || std::isinf(weight))
      throw weight_error(
          source, read, i,
          weight > 0 ? "the strength of an edge must be finite" : "the strength of an edge must not be negative");
    const float length = 1 / weight;
    if (weight > 0 && (length == 0 || std::isinf(length)))
      throw weight_error(source, read, i, "1/strength is beyond float32");
    weight = weight > 0 ? length : 0;
  }
  return std::erase_if(read.edges, [](const Edge& edge) { return edge.length == 0; });
}

}  // namespace

std::optional<EdgesAre> usual_weights(std::string_view name) {
  const auto is_one_of = [&](const auto& names) {
    return std::ranges::any_of(names, [&](std::string_view each) { return equals_ignoring_case(name, each); });
  };
  if (is_one_of(std::array<std::string_view, 5>{"", "length", "distance", "cost", "dissimilarity"}))
    return EdgesAre::lengths;
  if (is_one_of(std::array<std::string_view, 5>{"weight", "value", "count", "strength", "similarity"}))
    return EdgesAre::strengths;
  return std::nullopt;
}

Table table_of_graph(const std::string& source, const std::string& format, GraphInFile read, EdgesAre asked) {
  // For the nodes with their names, degrees and components, and for the edges that are kept.
  require_memory(source, 24.0 * double(read.nodes) + 2.0 * sizeof(Edge) * double(read.edges.size()));
  const bool strengths = (asked == EdgesAre::automatic ? read.usual : asked) == EdgesAre::strengths;
  std::size_t dropped = 0;
  if (asked == EdgesAre::equal) {
    for (Edge& edge : read.edges) edge.length = 1;
    read.weighted = false;
    read.weights_name.clear();
  }
  if (read.weighted && strengths)
    dropped = make_lengths(source, read);
  else if (read.weighted)
    check_lengths(source, read);
  Graph graph = make_graph(read.nodes, std::move(read.edges));
  graph.no_strength = dropped;
  if (read.weighted) graph.weights = strengths ? EdgeWeights::strengths : EdgeWeights::lengths;
  graph.weights_name = std::move(read.weights_name);
  graph.columns = std::move(read.columns);
  graph.asked_for_weights = asked != EdgesAre::automatic;
  Table table = table_of_nodes(source, format, std::move(graph), std::move(read.names));
  std::vector<std::string> names;
  for (const Column& column : table.columns) names.push_back(column.name);
  for (const Column& column : read.attributes) names.push_back(column.name);
  names = column_names(std::move(names));
  for (Column& column : read.attributes) {
    column.annotates = true;
    column.name = names[table.columns.size()];
    table.columns.push_back(std::move(column));
  }
  return table;
}

}  // namespace kinescope::sim
