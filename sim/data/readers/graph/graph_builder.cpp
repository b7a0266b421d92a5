#include "sim/data/readers/graph/graph_builder.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "kinescope/error.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// In the order in which they are looked for; the first is a format's own.
constexpr std::array<std::string_view, 9> weight_names = {"weight", "value",    "count", "strength",     "similarity",
                                                          "length", "distance", "cost",  "dissimilarity"};

std::string_view without_blanks(std::string_view text) {
  return trimmed(text, " \t\r\n");
}

// Nodes that are called 1, 2, 10 are numbers; 007 and 1.0 are texts.
bool all_whole_numbers(const std::vector<std::string>& texts, std::vector<double>& numbers) {
  for (const std::string& text : texts) {
    double number = 0;
    if (parse_cell(text, number) != CellKind::number || number != std::floor(number) || number_text(number) != text)
      return false;
    numbers.push_back(number);
  }
  return true;
}

}  // namespace

std::string read_whole(InputFile& file) {
  const std::size_t block = file.buffer_for(1 << 20);
  std::string text;
  for (;;) {
    const std::size_t before = text.size();
    if (text.capacity() < before + block) require_memory(file.path(), 2.0 * static_cast<double>(before + block));
    text.resize(before + block);
    const std::size_t got = file.read(text.data() + before, block);
    text.resize(before + got);
    if (got < block) return text;
  }
}

Error GraphBuilder::error(const Place& place, const std::string& message) const {
  if (place.line > 0) return file_error(source_.path(), place.line, message);
  return file_error(source_.path(), place.words.empty() ? message : place.words + ": " + message);
}

// Memory is checked again whenever 64 MiB more were taken; as much is needed once more for the table.
void GraphBuilder::grow(std::size_t bytes) {
  constexpr std::size_t step = std::size_t{64} << 20;
  bytes_ += bytes;
  if (bytes_ < checked_ + step) return;
  checked_ = bytes_;
  if (source_.progress && source_.progress->cancelled) throw Cancelled{};
  require_memory(source_.path(), static_cast<double>(bytes_));
}

std::uint32_t GraphBuilder::mention(std::string_view id, const Place& place) {
  if (const auto known = index_.find(id); known != index_.end()) return known->second;
  if (ids_.size() >= maximum_rows) throw error(place, "too many nodes");
  const auto node = static_cast<std::uint32_t>(ids_.size());
  index_.emplace(ids_.emplace_back(id), node);
  declared_.push_back(!declares_nodes);
  grow(sizeof(std::string) + 128 + id.size());
  return node;
}

std::uint32_t GraphBuilder::declare(std::string_view id, const Place& place) {
  const std::uint32_t node = mention(id, place);
  if (!declares_nodes) return node;
  if (declared_[node]) throw error(place, "the node " + shown(id) + " is there twice");
  declared_[node] = true;
  return node;
}

GraphBuilder::Attribute& GraphBuilder::attribute(std::string_view name) {
  if (const auto known = attribute_index_.find(name); known != attribute_index_.end())
    return attributes_[known->second];
  if (attributes_.size() >= maximum_columns) throw file_error(source_.path(), "more than 1,000,000 attributes");
  attribute_index_.emplace(std::string(name), attributes_.size());
  grow(2 * sizeof(Attribute) + name.size());
  return attributes_.emplace_back(Attribute{std::string(name), {}, {}});
}

void GraphBuilder::set(std::uint32_t node, std::string_view name, std::string_view value) {
  repeat(name.size());
  repeated_.add(source_.path(), source_.file.bytes_read(), value.size());
  require_density(source_.path(), ++values_set_, "attributes of nodes", source_.file.bytes_read());
  value = without_blanks(value);
  if (value.empty()) return;
  Attribute& found = attribute(name);
  found.values.emplace_back(node, to_utf8(value));
  grow(sizeof found.values[0] + (value.size() > 15 ? value.size() : 0));
}

void GraphBuilder::label(std::uint32_t node, std::string text) {
  repeated_.add(source_.path(), source_.file.bytes_read(), text.size());
  grow(2 * sizeof labels_[0] + text.size());
  labels_.emplace_back(node, std::move(text));
}

void GraphBuilder::set_default(std::string_view name, std::string_view value) {
  attribute(name).other = to_utf8(without_blanks(value));
}

void GraphBuilder::add_edge(std::uint32_t from, std::uint32_t to, std::size_t line) {
  if (edges_.size() >= maximum_rows) throw error({line}, "too many edges");
  edges_.push_back({from, to});
  lines_.push_back(line);
  grow(sizeof(Edge) + sizeof line);
}

std::optional<std::size_t> GraphBuilder::weight_place(std::string_view name) const {
  if (!lengths_first.empty() && equals_ignoring_case(name, lengths_first)) return 0;
  for (std::size_t k = 0; k < weight_names.size(); ++k)
    if (equals_ignoring_case(name, weight_names[k])) return k + 1;
  return std::nullopt;
}

// The weights of this name, and the number that `value` is; null if it is no name of weights, or the value is missing
// or no number.
GraphBuilder::Weights* GraphBuilder::weights(std::string_view name, double& number, std::string_view value) {
  const std::optional<std::size_t> place = weight_place(name);
  if (!place) return nullptr;
  repeated_.add(source_.path(), source_.file.bytes_read(), value.size());
  weights_.resize(weight_names.size() + 1);
  Weights& found = weights_[*place];
  value = without_blanks(value);
  const CellKind kind = parse_cell(value, number);
  if (kind == CellKind::missing) return nullptr;
  if (found.name.empty()) found.name = name;
  if (kind == CellKind::number) return &found;
  if (found.no_number.empty()) found.no_number = value;
  return nullptr;
}

void GraphBuilder::weigh(std::string_view name, std::string_view value) {
  double number = 0;
  Weights* const found = weights(name, number, value);
  if (!found) return;
  const auto edge = static_cast<std::uint32_t>(edges_.size() - 1);
  if (!found->values.empty() && found->values.back().first == edge) found->values.pop_back();
  found->values.emplace_back(edge, edge_weight(number));
  grow(sizeof found->values[0]);
}

void GraphBuilder::weigh_default(std::string_view name, std::string_view value) {
  double number = 0;
  if (Weights* const found = weights(name, number, value)) found->other = number;
}

void GraphBuilder::remark(std::string text) {
  if (told_.insert(text).second) remarks_.push_back(std::move(text));
}

// Without labels, an attribute called "name" is one (igraph).
void GraphBuilder::name_by_attribute() {
  if (!labels_.empty()) return;
  for (Attribute& each : attributes_)
    if (equals_ignoring_case(each.name, "name") && each.other.empty()) {
      labels_ = std::move(each.values);
      each.values = {};
      return;
    }
}

// Labels name the nodes, and identifiers those without a label, if no two nodes then have the same name.
Column GraphBuilder::name_nodes() {
  std::vector<std::string> names(ids_.size());
  std::vector<bool> labelled(ids_.size());
  name_by_attribute();
  for (const auto& [node, text] : labels_) {
    if (without_blanks(text).empty()) continue;
    labelled[node] = true;
    names[node] = to_utf8(without_blanks(text));
  }
  for (std::size_t node = 0; node < names.size(); ++node)
    if (!labelled[node]) names[node] = to_utf8(ids_[node]);
  TextViewSet different(names.begin(), names.end());
  if (different.size() < names.size()) {
    remark("several nodes have the same label: identifiers name the nodes");
    for (const auto& [node, text] : labels_) set(node, "label", text);
    for (std::size_t node = 0; node < names.size(); ++node) names[node] = to_utf8(ids_[node]);
  }
  std::vector<double> numbers;
  if (all_whole_numbers(names, numbers)) return {"", false, Numbers(std::move(numbers)), {}};
  return {"", true, {}, std::move(names)};
}

void GraphBuilder::read_weights(GraphInFile& graph) {
  for (Weights& each : weights_) {
    if (each.name.empty()) continue;
    if (!each.no_number.empty()) {
      remark("the edges' " + shown(each.name) + " is not read: " + shown(each.no_number) + " is not a number");
      continue;
    }
    graph.weighted = true;
    graph.weights_name = to_utf8(each.name);
    graph.usual = usual_weights(each.name).value_or(EdgesAre::lengths);
    const std::size_t without = graph.edges.size() - each.values.size();
    if (without > 0 && !each.other)
      remark(count_of(without, "edge") + (without == 1 ? " has" : " have") + " no " + shown(graph.weights_name) +
             ": 1 stands for it");
    for (Edge& edge : graph.edges) edge.length = edge_weight(each.other.value_or(1));
    for (const auto& [edge, weight] : each.values) graph.edges[edge].length = weight;
    return;
  }
}

Column GraphBuilder::column_of(Attribute& attribute) {
  const std::size_t rows = ids_.size();
  const auto kind_is_number = [](std::string_view value, double& number) {
    const CellKind kind = parse_cell(value, number);
    if (kind == CellKind::missing) number = std::numeric_limits<double>::quiet_NaN();
    return kind != CellKind::text && (kind == CellKind::missing || !loses_digits(value, number));
  };
  double number = 0;
  bool numbers = attribute.other.empty() || kind_is_number(attribute.other, number);
  for (const auto& [node, value] : attribute.values) numbers = numbers && kind_is_number(value, number);
  Column column{to_utf8(attribute.name), !numbers};
  if (numbers) {
    number = std::numeric_limits<double>::quiet_NaN();
    if (!attribute.other.empty()) kind_is_number(attribute.other, number);
    std::vector<double> values(rows, number);
    for (const auto& [node, value] : attribute.values) kind_is_number(value, values[node]);
    column.numbers = Numbers(std::move(values));
  } else {
    repeated_.add(source_.path(), source_.file.bytes_read(), attribute.other.size(), rows);
    column.texts.assign(rows, attribute.other);
    for (auto& [node, value] : attribute.values) column.texts[node] = std::move(value);
    if (count_dates(column).is_of_dates()) turn_into_days(column);
  }
  attribute.values = {};
  return column;
}

void GraphBuilder::tell_undeclared() {
  std::vector<std::string> names;
  for (std::size_t node = 0; node < ids_.size(); ++node)
    if (!declared_[node]) names.push_back(to_utf8(ids_[node]));
  if (!names.empty())
    remark(list_of(names) + (names.size() == 1 ? " is named by edges, but is" : " are named by edges, but are") +
           " not among the file's nodes");
}

Table GraphBuilder::finish(const std::string& format) {
  tell_undeclared();
  if (ids_.empty()) throw file_error(source_.path(), "the graph has no nodes");
  GraphInFile graph;
  graph.nodes = ids_.size();
  graph.names = name_nodes();
  graph.edges = std::move(edges_);
  if (std::ranges::any_of(lines_, [](std::size_t line) { return line > 0; })) graph.lines = std::move(lines_);
  read_weights(graph);
  require_density(source_.path(), attributes_.size() * graph.nodes, "attributes of nodes", source_.file.bytes_read());
  require_memory(source_.path(), static_cast<double>(attributes_.size()) * static_cast<double>(graph.nodes) *
                                     static_cast<double>(sizeof(double)));
  for (Attribute& each : attributes_) {
    if (source_.progress && source_.progress->cancelled) throw Cancelled{};
    if (!each.values.empty() || !each.other.empty()) graph.attributes.push_back(column_of(each));
  }
  Table table = table_of_graph(source_.path(), format, std::move(graph), source_.request.edges_are);
  std::ranges::move(remarks_, std::back_inserter(table.remarks));
  return table;
}

}  // namespace kinescope::sim
