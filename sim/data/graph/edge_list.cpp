#include "sim/data/graph/edge_list.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <utility>

#include "kinescope/error.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/choose.hpp"
#include "sim/data/graph/read_graph.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/shell_words.hpp"
#include "sim/data/text.hpp"
#include "sim/data/text_reading.hpp"
#include "sim/data/unread.hpp"

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

// The columns that have the usual names of an edge's ends, wherever they stand; null if there are none.
EdgeColumns ends_of_edges(const Table& table) {
  const auto named = [&](std::string_view name) -> const Column* {
    const auto found =
        std::ranges::find_if(table.columns, [&](const Column& each) { return equals_ignoring_case(each.name, name); });
    return found == table.columns.end() ? nullptr : &*found;
  };
  for (const auto& [from, to] : {std::pair("source", "target"), std::pair("from", "to")})
    if (const Column* a = named(from), *b = named(to); a && b) return {{a, b}};
  return {};
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
  EdgeColumns chosen = ends_of_edges(table);
  if (!chosen.nodes[0]) chosen.nodes = {&table.columns[0], &table.columns[1]};
  std::vector<const Column*> others;
  for (const Column& column : table.columns)
    if (&column != chosen.nodes[0] && &column != chosen.nodes[1] && !column.is_text) others.push_back(&column);
  const auto usual = std::ranges::find_if(others, [](auto* each) { return usual_weights(each->name).has_value(); });
  if (usual != others.end())
    chosen.weight = *usual;
  else if (table.columns.size() > 2 && std::ranges::find(others, &table.columns[2]) != others.end() &&
           !is_empty(table.columns[2]))
    chosen.weight = &table.columns[2];
  return chosen;
}

// What is to be said of a column that is named like weights and is no column of numbers; "" if there is none.
std::string unread_weights(const Table& table, const EdgeColumns& chosen) {
  for (const Column& column : table.columns) {
    if (!column.is_text || &column == chosen.nodes[0] || &column == chosen.nodes[1]) continue;
    if (column.name.empty() || !usual_weights(column.name)) continue;
    const std::string example = unread_number(column);
    return (example.empty() ? shown(column.name) + " holds texts" : unread_sentence(table, column.name, example)) +
           ": it does not weigh the edges";
  }
  return "";
}

// A node may have a name that stands for a missing value elsewhere: NA is Namibia.
std::string if_it_is_a_name(const Table& table, const EdgeColumns& chosen) {
  if (!table.text_reading) return "";
  return "; if it is a name such as NA, `" + names_option("--text", {chosen.nodes[0]->name, chosen.nodes[1]->name}) +
         "` keeps it";
}

void check(const Table& table, const EdgeColumns& chosen) {
  for (std::size_t row = 0; row < table.rows; ++row) {
    for (const Column* column : chosen.nodes) {
      if (is_missing(*column, row))
        throw row_error(table, row, "a node of this edge is missing" + if_it_is_a_name(table, chosen));
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

void set_ends(const EdgeColumns& chosen, std::vector<Edge>& edges, const auto& index) {
  for (std::size_t row = 0; row < edges.size(); ++row) {
    edges[row].from = index(*chosen.nodes[0], row);
    edges[row].to = index(*chosen.nodes[1], row);
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
  set_ends(chosen, edges, index);
  return {"", false, std::move(names), {}};
}

// For nodes named by texts: sets the edges' nodes to indices in the order of first mention, and returns the texts.
Column name_nodes(const EdgeColumns& chosen, std::vector<Edge>& edges) {
  Column names{"", true, {}, {}};
  ByText<std::uint32_t> known;
  const auto index = [&](const Column& column, std::size_t row) {
    const std::string name = written_cell(column, row);
    const auto [found, is_new] = known.try_emplace(name, static_cast<std::uint32_t>(names.texts.size()));
    if (is_new) names.texts.push_back(name);
    return found->second;
  };
  set_ends(chosen, edges, index);
  return names;
}

// A table of adjacency: its first column names the rows, and the others are named after the same nodes.
struct Adjacency {
  std::vector<std::uint32_t> rows;  // after which each column of numbers is named; empty if the table is none
  std::string flaw;  // why a table of at least three rows, most of whose columns are named after them, is none

  explicit operator bool() const { return !rows.empty() || !flaw.empty(); }
};

Adjacency adjacency_of(const Table& table) {
  Adjacency found;
  if (table.sparse || !table.has_header || table.rows < 2 || table.columns.size() != table.rows + 1) return found;
  const Column& names = table.columns[0];
  ByText<std::uint32_t> rows;
  for (std::size_t row = 0; row < table.rows; ++row)
    rows.try_emplace(written_cell(names, row), static_cast<std::uint32_t>(row));
  for (std::size_t i = 1; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    if (column.is_text && found.flaw.empty())
      found.flaw = "column " + shown(column.name) + " of a table of adjacency holds texts, not numbers";
    const auto row = rows.find(column.name);
    if (row == rows.end()) continue;
    found.rows.push_back(row->second);
    rows.erase(row);  // no name twice
  }
  if (found.rows.size() == table.rows && found.flaw.empty()) return found;
  if (found.flaw.empty())
    found.flaw = "a table of adjacency has the same names above its columns as before its rows" +
                 (rows.empty() ? "" : "; no column is called " + shown(rows.begin()->first));
  if (table.rows < 3 || 2 * found.rows.size() <= table.rows) found.flaw.clear();
  found.rows.clear();
  return found;
}

// Each value but 0 is an edge, and its length. Two that mirror each other are one edge.
GraphInFile read_adjacency(const Table& table, const std::vector<std::uint32_t>& nodes) {
  GraphInFile read;
  read.names = table.columns[0];
  read.names.name.clear();
  read.nodes = table.rows;
  read.columns = "in a table of adjacency";
  std::vector<std::size_t> columns(nodes.size());  // of each node
  for (std::size_t i = 0; i < nodes.size(); ++i) columns[nodes[i]] = i + 1;
  const auto weight = [&](std::size_t from, std::size_t to) {
    const double value = table.columns[columns[to]].numbers[from];
    return std::isnan(value) ? 0.0 : value;
  };
  for (std::uint32_t from = 0; from < read.nodes; ++from)
    for (std::uint32_t to = from; to < read.nodes; ++to) {
      const double there = weight(from, to), back = from == to ? there : weight(to, from);
      for (const double each : {there, back == there ? 0 : back}) {
        if (each == 0) continue;
        read.edges.push_back({from, to, edge_weight(each)});
        read.weighted = read.weighted || each != 1;
      }
    }
  return read;
}

}  // namespace

Table table_of_edges(const Table& table, const std::vector<std::string>& columns, EdgesAre asked) {
  // What was said of the table as it was read stays.
  const auto made_of = [&](GraphInFile read) {
    Table made = table_of_graph(table.source, table.format, std::move(read), asked);
    made.has_header = table.has_header;
    made.header_reason = table.header_reason;
    made.remarks = table.remarks;
    return made;
  };
  if (const Adjacency adjacency = adjacency_of(table); columns.empty() && adjacency) {
    if (!adjacency.flaw.empty()) throw file_error(table.source, adjacency.flaw);
    return made_of(read_adjacency(table, adjacency.rows));
  }
  const EdgeColumns chosen = columns.empty() ? usual_columns(table) : named_columns(table, columns);
  check(table, chosen);
  require_memory(table.source, 3.0 * sizeof(Edge) * static_cast<double>(table.rows));
  GraphInFile read;
  read.edges.resize(table.rows);
  read.lines = table.row_lines;
  read.columns = "between " + shown(chosen.nodes[0]->name) + " and " + shown(chosen.nodes[1]->name);
  std::string unread;
  if (!chosen.weight && columns.empty()) unread = unread_weights(table, chosen);
  if (chosen.weight) {
    read.weighted = true;
    read.weights_name = chosen.weight->name;
    read.usual = usual_weights(read.weights_name).value_or(EdgesAre::lengths);
    for (std::size_t row = 0; row < table.rows; ++row)
      read.edges[row].length = edge_weight(chosen.weight->numbers[row]);
  }
  const bool numbered = chosen.nodes[0]->texts.empty() && chosen.nodes[1]->texts.empty();
  read.names = numbered ? number_nodes(chosen, read.edges) : name_nodes(chosen, read.edges);
  read.nodes = read.names.size();
  Table made = made_of(std::move(read));
  if (!unread.empty()) made.remarks.push_back(unread);
  return made;
}

std::vector<std::string> ends_to_read_as_texts(const Table& table, const std::vector<std::string>& columns) {
  if (!table.text_reading || table.sparse || table.graph || table.columns.size() < 2) return {};
  if (columns.empty() && adjacency_of(table)) return {};
  std::array<const Column*, 2> ends = ends_of_edges(table).nodes;
  if (!ends[0]) ends = {&table.columns[0], &table.columns[1]};
  if (columns.size() >= 2) ends = {table.find(columns[0]), table.find(columns[1])};
  if (!ends[0] || !ends[1]) return {};
  const auto is_number = [](const Column* column) { return column->texts.empty(); };
  const auto has_zeros = [&](const Column* column) {
    return is_number(column) && std::ranges::any_of(table.text_reading->guesses, [&](const ReadingGuess& guess) {
             return guess.kind == ReadingGuess::Kind::column && guess.what == column->name;
           });
  };
  std::vector<std::string> found;
  if (has_zeros(ends[0]) || has_zeros(ends[1]) || is_number(ends[0]) != is_number(ends[1]))
    for (const Column* end : ends)
      if (is_number(end)) found.push_back(end->name);
  return found;
}

bool words_are_edges(const Table& table) {
  if (table.columns.size() != 1 || table.sparse || table.graph || !table.columns.front().is_text) return false;
  const std::vector<std::string>& rows = table.columns.front().texts;
  const auto words = [](std::string_view text) {
    std::size_t count = 0;
    while (!next_word(text).empty()) ++count;
    return count;
  };
  const std::size_t first = rows.empty() ? 0 : words(rows.front());
  return (first == 2 || first == 3) && std::ranges::all_of(rows, [&](const auto& row) { return words(row) == first; });
}

bool header_is_an_edge(const Table& table) {
  if (!table.has_header || table.columns.size() < 2) return false;
  if (ends_of_edges(table).nodes[0] || adjacency_of(table)) return false;
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
