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
#include "sim/data/graph/read_graph.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// A table that is no graph was probably opened with the metric of the graph opened before it.
Error no_graph(const Error& error) {
  return error.with({.parameter = "metric", .value = "euclidean"});
}

struct EdgeColumns {
  std::array<const Column*, 2> nodes = {};
  const Column* weight = nullptr;  // null: all edges are 1 long
};

EdgeColumns named_columns(const Table& table, const std::vector<std::string>& names) {
  if (names.size() != 2 && names.size() != 3)
    throw file_error(table.source, "--columns: a graph needs two columns of nodes, and optionally a column of weights");
  EdgeColumns chosen{{&required_column(table, names[0]), &required_column(table, names[1])}};
  if (names.size() == 3) chosen.weight = &required_column(table, names[2]);
  if (chosen.weight && chosen.weight->is_text)
    throw file_error(table.source, "column " + shown(names[2]) + " is text, and cannot be the weight of edges");
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
  for (std::size_t i = 2; i < table.columns.size() && !chosen.weight; ++i)
    if (!table.columns[i].is_text && usual_weights(table.columns[i].name)) chosen.weight = &table.columns[i];
  if (!chosen.weight && table.columns.size() > 2 && !table.columns[2].is_text && !is_empty(table.columns[2]))
    chosen.weight = &table.columns[2];
  return chosen;
}

void check(const Table& table, const EdgeColumns& chosen) {
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (const Column* column : chosen.nodes) {
      if (is_missing(*column, row)) throw row_error(table, row, "a node of this edge is missing");
      if (column->texts.empty() && column->numbers[row] != std::floor(column->numbers[row]))
        throw no_graph(row_error(table, row,
                                 "column " + shown(column->name) +
                                     " must name nodes by whole numbers or texts; found " +
                                     number_text(column->numbers, row)));
    }
    if (chosen.weight && std::isnan(chosen.weight->numbers[row]))
      throw row_error(table, row, "the weight of this edge is missing");
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

Table table_of_edges(const Table& table, const std::vector<std::string>& columns, EdgesAre asked) {
  const EdgeColumns chosen = columns.empty() ? usual_columns(table) : named_columns(table, columns);
  check(table, chosen);
  require_memory(table.source, 3.0 * sizeof(Edge) * static_cast<double>(table.rows));
  GraphInFile read;
  read.edges.resize(table.rows);
  read.lines = table.row_lines;
  read.columns = "between " + shown(chosen.nodes[0]->name) + " and " + shown(chosen.nodes[1]->name);
  if (chosen.weight) {
    read.weighted = true;
    read.weights_name = chosen.weight->name;
    read.usual = usual_weights(read.weights_name).value_or(EdgesAre::lengths);
    for (std::size_t row = 0; row < table.rows; ++row)
      read.edges[row].length = static_cast<float>(chosen.weight->numbers[row]);
  }
  const bool numbered = chosen.nodes[0]->texts.empty() && chosen.nodes[1]->texts.empty();
  read.names = numbered ? number_nodes(chosen, read.edges) : name_nodes(chosen, read.edges);
  read.nodes = read.names.size();
  Table made = table_of_graph(table.source, table.format, std::move(read), asked);
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
