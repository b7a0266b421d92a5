#include "sim/data/graph/edge_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sim/core/error.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/graph/edges.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// A table that is no graph was probably opened with the metric of the graph opened before it.
Error no_graph(const Error& error) {
  return error.with({.parameter = "metric", .value = "euclidean"});
}

Error row_error(const Table& table, std::size_t row, const std::string& message) {
  return table.row_lines.empty() ? file_error(table.source, "row " + std::to_string(row + 1) + ": " + message)
                                 : file_error(table.source, table.row_lines[row], message);
}

struct EdgeColumns {
  std::array<const Column*, 2> nodes = {};
  const Column* length = nullptr;  // null: all edges are 1 long
};

EdgeColumns named_columns(const Table& table, const std::vector<std::string>& names) {
  if (names.size() != 2 && names.size() != 3)
    throw file_error(table.source, "--columns: a graph needs two columns of nodes, and optionally a column of lengths");
  EdgeColumns chosen{{&required_column(table, names[0]), &required_column(table, names[1])}};
  if (names.size() == 3) chosen.length = &required_column(table, names[2]);
  if (chosen.length && chosen.length->is_text)
    throw file_error(table.source, "column " + shown(names[2]) + " is text, and cannot be the length of edges");
  return chosen;
}

EdgeColumns usual_columns(const Table& table) {
  if (table.sparse || table.picture || table.columns.size() < 2) {
    const auto has_blanks = [](const std::string& text) { return text.find(' ') != std::string::npos; };
    const bool names = table.columns.size() == 1 && std::ranges::any_of(table.columns[0].texts, has_blanks);
    throw no_graph(file_error(
        table.source,
        std::string("metric=graph needs a square Matrix Market file, or a table whose first two columns name nodes") +
            (names ? "; this table has one column: separate the names by a comma, a semicolon or a tab" : "")));
  }
  EdgeColumns chosen{{&table.columns[0], &table.columns[1]}};
  for (std::size_t i = 2; i < table.columns.size(); ++i)
    for (const std::string_view name : {"weight", "length", "distance"})
      if (!chosen.length && !table.columns[i].is_text && equals_ignoring_case(table.columns[i].name, name))
        chosen.length = &table.columns[i];
  if (!chosen.length && table.columns.size() > 2 && !table.columns[2].is_text && !is_empty(table.columns[2]))
    chosen.length = &table.columns[2];
  return chosen;
}

void check(const Table& table, const EdgeColumns& chosen) {
  for (const Column* column : {chosen.nodes[0], chosen.nodes[1], chosen.length})
    if (column && column->stray_line > 0 && !column->is_text)
      throw no_graph(
          file_error(table.source, column->stray_line,
                     "column " + shown(column->name) + ": expected a number, found " + shown(column->stray_text)));
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (const Column* column : chosen.nodes) {
      if (is_missing(*column, row)) throw row_error(table, row, "a node of this edge is missing");
      if (column->texts.empty() && column->numbers[row] != std::floor(column->numbers[row]))
        throw no_graph(row_error(table, row,
                                 "column " + shown(column->name) +
                                     " must name nodes by whole numbers or texts; found " +
                                     number_text(column->numbers, row)));
    }
    if (!chosen.length) continue;
    const double length = chosen.length->numbers[row];
    if (std::isnan(length)) throw row_error(table, row, "the length of this edge is missing");
    if (!(length > 0) || std::isinf(length))
      throw row_error(table, row, "the length of an edge must be positive, found " + number_text(length));
  }
}

// For nodes named by numbers: sets the edges' nodes to indices in ascending order of these numbers, and returns them.
Column number_nodes(const EdgeColumns& chosen, std::vector<Edge>& edges) {
  std::vector<double> names(chosen.nodes[0]->numbers.begin(), chosen.nodes[0]->numbers.end());
  names.insert(names.end(), chosen.nodes[1]->numbers.begin(), chosen.nodes[1]->numbers.end());
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto index = [&](const Column& column, std::size_t row) {
    return static_cast<std::uint32_t>(std::lower_bound(names.begin(), names.end(), column.numbers[row]) -
                                      names.begin());
  };
  for (std::size_t row = 0; row < edges.size(); ++row) {
    edges[row].from = index(*chosen.nodes[0], row);
    edges[row].to = index(*chosen.nodes[1], row);
  }
  return {"", false, std::move(names), {}};
}

// For nodes named by texts: sets the edges' nodes to indices in the order of first mention, and returns the texts.
Column name_nodes(const EdgeColumns& chosen, std::vector<Edge>& edges) {
  Column names{"", true, {}, {}};
  std::unordered_map<std::string, std::uint32_t> known;
  const auto index = [&](const Column& column, std::size_t row) {
    const std::string name = column.texts.empty() ? number_text(column.numbers, row) : column.texts[row];
    const auto [found, is_new] = known.try_emplace(name, static_cast<std::uint32_t>(names.texts.size()));
    if (is_new) names.texts.push_back(name);
    return found->second;
  };
  for (std::size_t row = 0; row < edges.size(); ++row) {
    edges[row].from = index(*chosen.nodes[0], row);
    edges[row].to = index(*chosen.nodes[1], row);
  }
  return names;
}

}  // namespace

Table table_of_edges(const Table& table, const std::vector<std::string>& columns) {
  const EdgeColumns chosen = columns.empty() ? usual_columns(table) : named_columns(table, columns);
  check(table, chosen);
  require_memory(table.source, 3.0 * sizeof(Edge) * static_cast<double>(table.rows));
  std::vector<Edge> edges(table.rows);
  for (std::size_t row = 0; chosen.length && row < table.rows; ++row)
    edges[row].length = static_cast<float>(chosen.length->numbers[row]);
  const bool numbered = chosen.nodes[0]->texts.empty() && chosen.nodes[1]->texts.empty();
  Column names = numbered ? number_nodes(chosen, edges) : name_nodes(chosen, edges);
  const std::size_t nodes = names.size();
  Graph graph = make_graph(nodes, std::move(edges));
  graph.columns = "between " + shown(chosen.nodes[0]->name) + " and " + shown(chosen.nodes[1]->name) +
                  (chosen.length ? ", with the lengths " + shown(chosen.length->name) : "");
  Table made = table_of_nodes(table.source, table.format, std::move(graph), std::move(names));
  made.has_header = table.has_header;
  made.header_reason = table.header_reason;
  made.remarks = table.remarks;
  return made;
}

bool header_is_an_edge(const Table& table) {
  if (!table.has_header || table.columns.size() < 2) return false;
  const auto holds = [](const Column& column, const std::string& name) {
    double number = 0;
    if (!column.texts.empty()) return std::find(column.texts.begin(), column.texts.end(), name) != column.texts.end();
    return parse_cell(name, number) == CellKind::number &&
           std::find(column.numbers.begin(), column.numbers.end(), number) != column.numbers.end();
  };
  const Column &first = table.columns[0], &second = table.columns[1];
  for (const Column* column : {&first, &second})
    if (holds(*column, first.name) || holds(*column, second.name)) return true;
  return false;
}

}  // namespace kinescope::sim
