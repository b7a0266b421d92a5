#include "sim/data/findings.hpp"

#include <algorithm>

#include "kinescope/in_parallel.hpp"
#include "sim/core/by_text.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/text_reading.hpp"
#include "sim/data/unread.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t fewest_counted = 8;  // rows that a counter has at least

// Whether the numbers are 0, 1, 2, … or 1, 2, 3, … in the order of the rows.
template <class Numbers>
bool count_rows(const Numbers& numbers) {
  if (numbers.size() < fewest_counted || (numbers[0] != 0 && numbers[0] != 1)) return false;
  auto next = numbers[0];
  for (const auto number : numbers)
    if (number != next++) return false;
  return true;
}

// Whether these are numbers as written that are all different, and longer than any that a measurement has.
bool are_identifiers(const std::vector<std::string>& texts) {
  constexpr std::size_t fewest_digits = 16;
  if (texts.size() < fewest_counted || texts.front().size() < fewest_digits) return false;
  return TextViewSet(texts.begin(), texts.end()).size() == texts.size();
}

// Whether the column is the index of a data frame, that R and pandas write first and without a name.
bool is_index(const Table& table, const Column& column) {
  return table.text_reading && table.has_header && &column == table.columns.data() && table.rows >= fewest_counted &&
         (column.name == numbered_name(0) || column.name == "Unnamed: 0") && are_different_whole_numbers(column);
}

// Finds kind, missing values and constancy.
ColumnFinding look_at(const Column& column, std::size_t categories, const NumberFacts& facts) {
  ColumnFinding found{column.name};
  if (column.is_text) {
    for (const std::string& text : column.texts) found.missing += text.empty();
    found.kind = categories > 0 ? ColumnKind::categories : ColumnKind::texts;
    return found;
  }
  found.missing = facts.missing;
  if (found.missing == column.numbers.size()) return found;
  const bool dates = holds_dates(column),
             long_numbers = !column.texts.empty() && !dates;  // that double may not tell apart
  found.rounded = long_numbers;
  found.constant = facts.same() && !long_numbers && column.numbers.size() > 1;
  const bool counter = facts.whole && found.missing == 0 &&
                       (count_rows(column.numbers) || (long_numbers && are_identifiers(column.texts)));
  found.kind = counter ? ColumnKind::counter : facts.whole ? ColumnKind::integers : ColumnKind::reals;
  if (dates) found.kind = ColumnKind::dates;
  return found;
}

using Names = std::vector<std::string>;

std::string range_of_lengths(const Graph& graph) {
  const std::vector<float>& lengths = graph.lengths;
  if (lengths.empty()) return "each edge is 1 long";
  const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  return "edges are " + number_text(*least) + " to " + number_text(*most) + " long" +
         (graph.weights == EdgeWeights::strengths ? ": 1/strength" : "");
}

// ", with the strengths 'value'"
std::string weights_of(const Graph& graph) {
  if (graph.weights == EdgeWeights::none) return "";
  const std::string what = graph.weights == EdgeWeights::strengths ? "strengths" : "lengths";
  return ", with the " + what + (graph.weights_name.empty() ? "" : " " + shown(graph.weights_name));
}

// "between 'from' and 'to', from a CSV separated by blanks"; of a file that holds nothing but a graph, the format.
std::string origin_of(const Graph& graph, const std::string& format) {
  if (graph.columns.empty()) return ", " + format + (graph.weights_name.empty() ? "" : weights_of(graph));
  const bool vowel = format.find_first_of("AHI") == 0;  // an HDF5, an IDX array
  std::string from = format;
  if (const std::size_t comma = from.find(", separated by"); comma != std::string::npos) from.erase(comma, 1);
  return " " + graph.columns + weights_of(graph) + ", from " + (vowel ? "an " : "a ") + from;
}

// Sentences about the graph's size, the lengths of its edges, and what was dropped.
Names graph_sentences(const Findings& findings) {
  const Graph& graph = *findings.graph;
  Names said = {count_of(graph.nodes, "node") + " and " + count_of(graph.edges.size(), "edge") +
                    origin_of(graph, findings.format),
                "distances are shortest paths; " + range_of_lengths(graph)};
  if (graph.loops > 0) said.push_back(count_of(graph.loops, "edge") + " from a node to itself dropped");
  if (graph.no_strength > 0) said.push_back(count_of(graph.no_strength, "edge") + " of strength 0 dropped");
  if (graph.duplicates > 0)
    said.push_back(count_of(graph.duplicates, "repeated edge") + " dropped, in the same or the other direction");
  if (graph.contradictions > 0)
    said.push_back(with_commas(graph.contradictions) + " of them had another length; the shortest is kept");
  if (findings.components > 1)
    said.push_back(findings.rows_left_out > 0
                       ? count_of(findings.rows_left_out, "node") + " left out in " +
                             count_of(findings.components - 1, "smaller component")
                       : count_of(findings.components, "component") +
                             " side by side; no distance is known between nodes of different components");
  return said;
}

// The guess of a header, for tables whose reader tells no more.
std::shared_ptr<const TextReading> header_reading(const Table& table, TableFormat format) {
  if (table.header_reason.empty()) return nullptr;
  format.header = table.has_header ? Header::no : Header::yes;
  ReadingGuess guess{ReadingGuess::Kind::header, "Header", table.has_header ? "Row 1" : "None", table.header_reason};
  guess.others.push_back({table.has_header ? "Row 1 is data" : "Row 1 is the header",
                          table.has_header ? "--header no" : "--header yes", format});
  return std::make_shared<const TextReading>(TextReading{{guess}});
}

std::string label_sentence(const Findings& findings) {
  const auto is_used = [&](const std::string& name) {
    return std::ranges::any_of(findings.columns, [&](const ColumnFinding& column) {
      return column.name == name && column.use == ColumnUse::distances;
    });
  };
  if (!findings.colours.empty() && (findings.label.empty() || !findings.label_was_asked)) {
    return list_of(findings.colours) + " are the points' own colours" +
           (is_used(findings.colours.front()) ? ", and are used for distances too"
                                              : ", and are not used for distances unless --columns names them");
  }
  if (findings.label.empty()) return "no column colours the points";
  return shown(findings.label) + " colours the points" +
         (is_used(findings.label)     ? ", and is used for distances too"
          : findings.label_is_telling ? ": it explains more of the numbers than other categories do"
                                      : "");
}

}  // namespace

const char* column_kind_name(ColumnKind kind) {
  static constexpr const char* names[] = {"integer", "real", "date", "counter", "category", "text", "empty"};
  return names[static_cast<std::size_t>(kind)];
}

std::string stored_text(const SparseRows& rows) {
  const std::size_t count = rows.value.size();
  return count_of(count, "nonzero value") + " (" + bytes_text(rows.bytes()) + ")";
}

Findings find_out(const Table& table, const DataRequest& request, const Chosen& chosen) {
  Findings findings;
  findings.format = table.format;
  findings.rows = table.rows;
  findings.rows_left_out = table.rows - chosen.rows.size();
  findings.has_header = table.has_header;
  findings.header_reason = table.header_reason;
  findings.decimal_comma = table.decimal_comma;
  findings.text_reading = table.text_reading ? table.text_reading : header_reading(table, request.format);
  findings.remarks = table.remarks;
  if (chosen.label) findings.label = chosen.label->name;
  findings.label_is_telling = chosen.label_is_telling;
  findings.label_was_asked = !request.label.empty();
  for (const Column* column : chosen.colours.columns)
    if (column) findings.colours.push_back(column->name);
  findings.sparse = table.sparse;
  findings.distances_in_file = table.distances != nullptr;
  findings.graph = table.graph;
  findings.picture = bool(table.picture);
  findings.is_matrix = request.reading == Reading::matrix;
  findings.components = chosen.components;
  findings.gaps_stay = request.reading == Reading::mixed || request.reading == Reading::matrix;
  std::vector<bool> takes_part(table.columns.size());
  for (const Column* column : chosen.columns)
    takes_part[static_cast<std::size_t>(column - table.columns.data())] = true;
  findings.columns.reserve(table.columns.size());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    findings.columns.push_back(look_at(column, chosen.categories[i], chosen.facts[i]));
    if (is_index(table, column)) findings.columns.back().kind = ColumnKind::counter;
    findings.columns.back().unread = chosen.unread[i];
    if (!chosen.unread[i].empty())
      findings.columns.back().unread_sentence = unread_sentence(table, column.name, chosen.unread[i]);
    if (&column == chosen.label && !chosen.label_takes_part)
      findings.columns.back().use = ColumnUse::label;
    else if (takes_part[i])
      findings.columns.back().use = ColumnUse::distances;
  }
  in_parallel(table.columns.size(), 1, [&](std::size_t i) {
    findings.columns[i].statistics = statistics_of(table.columns[i], chosen.facts[i]);
  });
  suggest(table, request, chosen, findings);
  return findings;
}

std::vector<std::string> Findings::sentences() const {
  const Names said_of_header =
      header_reason.empty() ? Names() : Names{(has_header ? "row 1 is the header: " : "no header: ") + header_reason};
  if (graph) {
    Names said = graph_sentences(*this);
    said.insert(said.end(), said_of_header.begin(), said_of_header.end());
    said.insert(said.end(), remarks.begin(), remarks.end());
    return said;
  }
  if (distances_in_file)
    return {with_commas(rows) + " × " + with_commas(rows) + " distances, " + format,
            "they stay in the file, and are read when needed"};
  const std::string size =
      count_of(rows, "row") + " × " + count_of(sparse ? sparse->columns : columns.size(), "column");
  std::vector<std::string> said = {size + ", " + (sparse ? stored_text(*sparse) + ", " : "") + format};
  said.insert(said.end(), said_of_header.begin(), said_of_header.end());
  said.insert(said.end(), remarks.begin(), remarks.end());
  Names numbers, categories, texts, constants, empty, dates, rounded;
  std::size_t missing = 0;
  for (const ColumnFinding& column : columns) {
    if (column.use == ColumnUse::distances) {
      (column.kind == ColumnKind::categories ? categories : numbers).push_back(column.name);
      if (column.constant) constants.push_back(column.name);
      missing += column.missing;
      if (column.kind == ColumnKind::dates) dates.push_back(column.name);
      if (column.rounded) rounded.push_back(column.name);
    }
    const bool is_colour = std::ranges::find(colours, column.name) != colours.end();
    if (column.use == ColumnUse::annotation && column.kind != ColumnKind::empty && !is_colour)
      texts.push_back(column.name);
    if (column.kind == ColumnKind::empty) empty.push_back(column.name);
  }
  std::string part;
  if (!numbers.empty()) part = count_of(numbers.size(), "column") + " of numbers";
  if (!categories.empty()) {
    if (!part.empty()) part += " and ";
    part += count_of(categories.size(), "column") + " of categories (" + list_of(categories) + ")";
  }
  // Which columns of a picture take part is for the simulation to say.
  said.push_back(picture ? "the points are the pixels: x, y, r, g, b"
                         : "distances are computed from " + (sparse ? "all columns" : part));
  const auto say = [&](const Names& names, const char* of_one, const char* of_several, const char* what) {
    if (!names.empty()) said.push_back(list_of(names) + (names.size() == 1 ? of_one : of_several) + what);
  };
  say(dates, " is a date", " are dates", ": days since 1970-01-01");
  say(rounded, " has", " have", " numbers of more digits than distances use, about 16");
  said.push_back(label_sentence(*this));
  say(texts, " is", " are", " only shown with the points");
  say(constants, " is", " are", " the same in all rows");
  say(empty, " is", " are", " empty");
  constexpr std::size_t most_unread = 12;
  std::size_t unread = 0;
  for (const ColumnFinding& column : columns)
    if (!column.unread.empty() && unread++ < most_unread) said.push_back(column.unread_sentence);
  if (unread > most_unread) said.push_back(count_of(unread - most_unread, "other column") + " likewise");
  if (rows_left_out > 0) said.push_back(count_of(rows_left_out, "row") + " left out for missing values");
  if (gaps_stay && missing > 0 && !is_matrix)
    said.push_back(count_of(missing, "missing value") + " left out, pair by pair");
  else if (rows_left_out == 0 && missing > 0 && !is_matrix)
    said.push_back(count_of(missing, "missing value") + " filled with the means of the columns");
  return said;
}

}  // namespace kinescope::sim
