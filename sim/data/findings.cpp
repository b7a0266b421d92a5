#include "sim/data/findings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "sim/data/made.hpp"
#include "sim/data/readers/dates.hpp"
#include "sim/data/text.hpp"
#include "sim/data/unread.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t fewest_counted = 8;  // a counter must increase over at least so many rows
constexpr double dominating_share = 0.9;   // as a part of the squared distances

bool is_called_id(std::string_view name) {
  static constexpr std::array<std::string_view, 7> names = {"id", "index", "no", "nr", "row", "key", "unnamed: 0"};
  return ends_with_ignoring_case(name, "_id") || ends_with_ignoring_case(name, " id") ||
         std::any_of(names.begin(), names.end(), [&](auto each) { return equals_ignoring_case(name, each); });
}

template <class T>
bool all_differ(const std::vector<T>& values) {
  const std::unordered_set<T> distinct(values.begin(), values.end());
  return distinct.size() == values.size();
}

// Finds kind, missing values and constancy in one pass.
ColumnFinding look_at(const Column& column, std::size_t categories) {
  ColumnFinding found{column.name};
  if (column.is_text) {
    for (const std::string& text : column.texts) found.missing += text.empty();
    found.kind = categories > 0 ? ColumnKind::categories : ColumnKind::texts;
    return found;
  }
  bool whole = true, increases = true, same = true;
  float first = NAN, before = -INFINITY;
  for (const float value : column.numbers) {
    if (std::isnan(value)) {
      ++found.missing;
      continue;
    }
    if (std::isnan(first)) first = value;
    same = same && value == first;
    whole = whole && value == std::floor(value);
    increases = increases && value > before;
    before = value;
  }
  if (found.missing == column.numbers.size()) return found;
  found.days_since = first_day_of(column);
  const bool long_numbers = !column.texts.empty() && found.days_since.empty();  // that float32 does not tell apart
  found.constant = same && !long_numbers && column.numbers.size() > 1;
  const bool counts = whole && found.missing == 0 && column.numbers.size() >= fewest_counted;
  const bool counter = counts && (increases || (is_called_id(column.name) && all_differ(column.numbers)) ||
                                  (long_numbers && all_differ(column.texts)));
  found.kind = counter ? ColumnKind::counter : whole ? ColumnKind::integers : ColumnKind::reals;
  if (!found.days_since.empty()) found.kind = ColumnKind::dates;
  return found;
}

// The variance over the rows that stay; all pairs' squared distances add up to N² times it.
double variance(const Column& column, const std::vector<std::size_t>& rows) {
  double origin = NAN, sum = 0, squares = 0, count = 0;
  for (const std::size_t row : rows) {
    const double value = column.numbers[row];
    if (std::isnan(value)) continue;
    if (std::isnan(origin)) origin = value;
    sum += value - origin;
    squares += (value - origin) * (value - origin);
    ++count;
  }
  return count > 0 ? std::max(0.0, squares / count - sum / count * (sum / count)) : 0;
}

std::string with_commas(std::size_t number) {
  std::string text = std::to_string(number);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, 1, ',');
  return text;
}

using Names = std::vector<std::string>;

std::string for_shell(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.,:/+%@=";
  if (word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
}

// The option as it is typed in a shell.
std::string columns_option(const Names& names) {
  std::string list;
  for (const std::string& name : names) {
    const bool comma = name.find_first_of(",\"") != std::string::npos;
    std::string quoted;
    for (const char c : name) quoted.append(c == '"' ? 2 : 1, c);
    if (!list.empty()) list += ',';
    list += comma ? '"' + quoted + '"' : name;
  }
  if (list.size() > 300) return "--columns with the other " + std::to_string(names.size()) + " columns";
  return "--columns " + for_shell(list);
}

std::string label_option(const std::string& name) {
  return "--label " + for_shell(name);
}

std::string list_of(const Names& names) {
  constexpr std::size_t most = 6;
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < most; ++i) text.append(i ? ", " : "").append(shown(names[i]));
  if (names.size() > most) text += ", …";
  return text;
}

Names taking_part(const Findings& findings) {
  Names names;
  for (const ColumnFinding& column : findings.columns)
    if (column.use == ColumnUse::distances) names.push_back(column.name);
  return names;
}

Names without(const Names& names, const Names& left_out) {
  Names rest;
  for (const std::string& name : names)
    if (std::find(left_out.begin(), left_out.end(), name) == left_out.end()) rest.push_back(name);
  return rest;
}

std::size_t complete_rows(const Table& table, const Names& columns) {
  std::vector<bool> complete(table.rows, true);
  for (const std::string& name : columns) {
    const Column& column = *table.find(name);
    for (std::size_t row = 0; row < table.rows; ++row)
      if (is_missing(column, row)) complete[row] = false;
  }
  return static_cast<std::size_t>(std::count(complete.begin(), complete.end(), true));
}

void suggest_for_missing(const Table& table, Findings& findings) {
  if (findings.rows_left_out == 0) return;
  const Names all = taking_part(findings);
  Names lacking, lacking_much;
  for (const ColumnFinding& column : findings.columns) {
    if (column.use != ColumnUse::distances || column.missing == 0) continue;
    lacking.push_back(column.name);
    if (20 * column.missing > table.rows) lacking_much.push_back(column.name);
  }
  const std::string left_out = with_commas(findings.rows_left_out) + " of " + count_of(table.rows, "row") +
                               (findings.rows_left_out == 1 ? " lacks a value and was" : " lack a value and were") +
                               " left out";
  findings.suggestions.push_back({Suggestion::Kind::fill_missing,
                                  left_out,
                                  "Fill with mean",
                                  lacking,
                                  "--missing mean",
                                  {},
                                  count_of(findings.rows_left_out, "row") + " left out",
                                  "Fill with mean"});
  const Names& dropped = lacking_much.empty() ? lacking : lacking_much;
  const Names rest = without(all, dropped);
  // Not if that loses a larger share of the columns than of the rows, or keeps only row numbers.
  const bool costs_more = dropped.size() * table.rows > findings.rows_left_out * all.size();
  const bool measures = std::any_of(findings.columns.begin(), findings.columns.end(), [&](const ColumnFinding& column) {
    return column.kind != ColumnKind::counter && std::find(rest.begin(), rest.end(), column.name) != rest.end();
  });
  if (costs_more || !measures) return;
  std::string sentence = "without " + list_of(dropped);
  if (dropped.size() > 1) sentence += " (" + count_of(dropped.size(), "column") + ")";
  sentence += ", " + with_commas(complete_rows(table, rest)) + " of " + count_of(table.rows, "row") + " would stay";
  findings.suggestions.push_back(
      {Suggestion::Kind::leave_out_incomplete, sentence,
       dropped.size() == 1 ? "Leave out this column" : "Leave out these columns", dropped, columns_option(rest), rest,
       dropped.size() == 1 ? dropped.front() + " has gaps" : count_of(dropped.size(), "column") + " have gaps",
       "Leave out"});
}

void suggest_for_counters(Findings& findings) {
  Names counters;
  for (const ColumnFinding& column : findings.columns)
    if (column.use == ColumnUse::distances && column.kind == ColumnKind::counter) counters.push_back(column.name);
  const Names rest = without(taking_part(findings), counters);
  if (counters.empty() || rest.empty()) return;
  const bool one = counters.size() == 1;
  const std::string sentence = list_of(counters) + (one ? " seems" : " seem") + " to number the rows, yet " +
                               (one ? "is" : "are") + " used in the distances";
  findings.suggestions.push_back(
      {Suggestion::Kind::leave_out_counters, sentence, one ? "Leave it out" : "Leave them out", counters,
       columns_option(rest), rest,
       one ? counters.front() + " numbers the rows" : count_of(counters.size(), "row number"), "Leave out"});
}

// Files without names often have the class in the last column.
void suggest_for_classes(const Table& table, Findings& findings) {
  constexpr std::size_t most_classes = 10;
  if (!findings.label.empty() || findings.columns.size() < 2) return;
  std::size_t index = findings.columns.size() - 1;
  while (index > 0 && findings.columns[index].kind == ColumnKind::empty) --index;
  const ColumnFinding& last = findings.columns[index];
  if (last.kind != ColumnKind::integers || last.use != ColumnUse::distances || last.constant) return;
  std::set<float> classes;
  for (const float value : table.columns[index].numbers)
    if (!std::isnan(value) && classes.insert(value).second && classes.size() > most_classes) return;
  if (2 * classes.size() > table.rows) return;
  Names rest = taking_part(findings);
  rest.pop_back();
  if (rest.empty()) return;
  findings.suggestions.push_back({Suggestion::Kind::use_as_label,
                                  shown(last.name) + " has " + std::to_string(classes.size()) +
                                      " different values, as a class may, and is used in the distances",
                                  "Use it as label",
                                  {last.name},
                                  label_option(last.name),
                                  {},
                                  last.name + ": a class?",
                                  "Use as label"});
}

void suggest_for_categories(Findings& findings, bool asked) {
  Names unused, all;
  bool numbers = false;
  for (const ColumnFinding& column : findings.columns) {
    const bool category =
        column.kind == ColumnKind::categories && column.use == ColumnUse::annotation && column.unread.empty();
    numbers = numbers || (column.use == ColumnUse::distances && column.kind != ColumnKind::categories);
    if (category) unused.push_back(column.name);
    if (category || column.use == ColumnUse::distances) all.push_back(column.name);
  }
  if (asked || unused.empty() || !numbers) return;
  const bool one = unused.size() == 1;
  const std::string sentence = list_of(unused) + (one ? " holds" : " hold") + " categories and " +
                               (one ? "takes" : "take") + " no part in the distances";
  findings.suggestions.push_back(
      {Suggestion::Kind::use_categories, sentence, one ? "Use this column too" : "Use these columns too", unused,
       columns_option(all), all,
       one ? unused.front() + " holds categories" : count_of(unused.size(), "category column"),
       one ? "Use it" : "Use them"});
}

void suggest_for_scales(const Table& table, const Chosen& chosen, Findings& findings) {
  double sum = 0, largest = 0;
  std::string name;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < findings.columns.size(); ++i) {
    const ColumnFinding& column = findings.columns[i];
    if (column.use != ColumnUse::distances || column.kind == ColumnKind::counter ||
        column.kind == ColumnKind::categories)
      continue;
    const double own = variance(table.columns[i], chosen.rows);
    sum += own;
    compared += own > 0;
    if (own > largest) largest = own, name = column.name;
  }
  if (compared < 2 || largest <= dominating_share * sum) return;
  char share[16];
  std::snprintf(share, sizeof share, "%.3g", std::floor(1000 * largest / sum) / 10);
  findings.suggestions.push_back({Suggestion::Kind::standardize,
                                  shown(name) + " makes " + share + " % of the squared distances",
                                  "Standardize",
                                  {name},
                                  "--set normalize=zscore",
                                  {},
                                  name + " outweighs all",
                                  "Standardize",
                                  "normalize",
                                  "zscore"});
}

// A square table of numbers that are not negative, 0 on the diagonal and equal across it.
bool looks_like_distances(const Chosen& chosen) {
  const std::size_t size = chosen.columns.size();
  constexpr std::size_t fewest = 4, most_checked = 256;
  if (size < fewest || chosen.rows.size() != size) return false;
  for (const Column* column : chosen.columns)
    if (column->is_text) return false;
  const std::size_t step = (size + most_checked - 1) / most_checked;
  bool any = false;
  for (std::size_t i = 0; i < size; i += step)
    for (std::size_t j = 0; j <= i; ++j) {
      const float here = chosen.columns[j]->numbers[chosen.rows[i]],
                  across = chosen.columns[i]->numbers[chosen.rows[j]];
      if (!(here >= 0) || std::abs(here - across) > 1e-3f * here || (i == j && here != 0)) return false;
      any = any || here > 0;
    }
  return any;
}

// Two columns of whole numbers, or of names that occur again and again, and nothing else but a third for lengths.
bool looks_like_edges(const Table& table, const Findings& findings) {
  const std::size_t columns = table.columns.size();
  constexpr std::size_t fewest = 8;
  if (columns < 2 || columns > 3 || table.rows < fewest) return false;
  std::unordered_set<std::string_view> names;
  std::unordered_set<float> numbers;
  for (std::size_t c = 0; c < 2; ++c) {
    const Column& column = table.columns[c];
    const ColumnKind kind = findings.columns[c].kind;
    const bool whole = kind == ColumnKind::integers || kind == ColumnKind::counter;
    if (findings.columns[c].missing > 0 || column.is_text != table.columns[0].is_text) return false;
    if (!whole && !column.is_text) return false;
    for (const std::string& text : column.texts) names.insert(text);
    for (const float number : column.numbers) {
      if (number < 0) return false;
      numbers.insert(number);
    }
  }
  const ColumnFinding& last = findings.columns.back();
  if (columns == 3 && (table.columns[2].is_text || !(last.statistics.low > 0))) return false;
  const auto is_called = [&](std::size_t c, std::string_view name) {
    return equals_ignoring_case(table.columns[c].name, name);
  };
  if ((is_called(0, "source") && is_called(1, "target")) || (is_called(0, "from") && is_called(1, "to"))) return true;
  // Nodes are numbered without gaps, none has an edge to itself, and no edge is named twice; that is seldom so of whole
  // numbers that measure something.
  const std::size_t nodes = numbers.size();
  if (table.columns[0].is_text || columns == 3 || nodes < fewest) return false;
  std::set<std::pair<float, float>> edges;
  for (std::size_t row = 0; row < table.rows; ++row) {
    const float from = table.columns[0].numbers[row], to = table.columns[1].numbers[row];
    if (from == to || !edges.insert(std::minmax(from, to)).second) return false;
  }
  const auto [low, high] = std::minmax_element(numbers.begin(), numbers.end());
  return *low <= 1 && double(*high) - double(*low) + 1 == double(nodes) && nodes <= table.rows + 1;
}

// A symmetric matrix of ones.
bool is_adjacency(const SparseRows& rows) {
  if (rows.rows() != rows.columns || rows.value.empty()) return false;
  if (std::any_of(rows.value.begin(), rows.value.end(), [](float value) { return value != 1; })) return false;
  for (std::size_t row = 0; row < rows.rows(); ++row)
    for (const std::uint32_t column : rows.index_of(row)) {
      const auto across = rows.index_of(column);
      if (!std::binary_search(across.begin(), across.end(), std::uint32_t(row))) return false;
    }
  return true;
}

void suggest_another_reading(const Table& table, const DataRequest& request, const Chosen& chosen, Findings& findings) {
  if (request.reading != Reading::rows) return;
  const auto suggest = [&](Suggestion::Kind kind, const char* what, const char* brief, const char* action,
                           const char* metric) {
    findings.suggestions.push_back({kind,
                                    std::string("this looks like ") + what,
                                    action,
                                    {},
                                    std::string("--set metric=") + metric,
                                    {},
                                    brief,
                                    action,
                                    "metric",
                                    metric});
  };
  if (table.sparse) {
    if (is_adjacency(*table.sparse))
      suggest(Suggestion::Kind::use_as_graph, "a graph", "A graph?", "Use as a graph", "graph");
  } else if (looks_like_distances(chosen)) {
    suggest(Suggestion::Kind::use_as_distances, "a table of distances", "Distances?", "Use as distances", "matrix");
  } else if (looks_like_edges(table, findings)) {
    suggest(Suggestion::Kind::use_as_graph, "a list of edges", "Edges?", "Use as a graph", "graph");
  }
}

std::string range_of_lengths(const std::vector<float>& lengths) {
  if (lengths.empty()) return "each edge is 1 long";
  const auto [least, most] = std::minmax_element(lengths.begin(), lengths.end());
  return "edges are " + number_text(*least) + " to " + number_text(*most) + " long";
}

// Size, lengths, and what was dropped.
Names graph_sentences(const Findings& findings) {
  const Graph& graph = *findings.graph;
  Names said = {count_of(graph.nodes, "node") + " and " + count_of(graph.edges.size(), "edge") + ", " + findings.format,
                "distances are shortest paths; " + range_of_lengths(graph.lengths)};
  if (graph.loops > 0) said.push_back(count_of(graph.loops, "edge") + " from a node to itself dropped");
  if (graph.duplicates > 0)
    said.push_back(count_of(graph.duplicates, "edge") + " dropped that " + (graph.duplicates == 1 ? "was" : "were") +
                   " named before, in either direction");
  if (graph.contradictions > 0)
    said.push_back(with_commas(graph.contradictions) + " of them had another length; the shortest stays");
  if (findings.other_components > 0)
    said.push_back(count_of(findings.rows_left_out, "node") + " left out in " +
                   count_of(findings.other_components, "smaller component"));
  return said;
}

}  // namespace

const char* column_kind_name(ColumnKind kind) {
  static constexpr const char* names[] = {"integer", "real", "date", "counter", "category", "text", "empty"};
  return names[static_cast<std::size_t>(kind)];
}

std::string count_of(std::size_t count, const std::string& noun) {
  std::string text = with_commas(count);
  text.append(" ").append(noun);
  if (count != 1) text += 's';
  return text;
}

std::string bytes_text(std::size_t bytes) {
  static constexpr std::array<const char*, 4> units = {"kB", "MB", "GB", "TB"};
  if (bytes < 1000) return count_of(bytes, "byte");
  double size = 1e-3 * static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; size >= 999.95 && unit + 1 < units.size(); ++unit) size *= 1e-3;
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %s", size, units[unit]);
  return text;
}

std::string stored_text(const SparseRows& rows) {
  const std::size_t count = rows.value.size();
  return count_of(count, "value") + (count == 1 ? " that is" : " that are") + " not 0 (" + bytes_text(rows.bytes()) +
         ")";
}

Findings find_out(const Table& table, const DataRequest& request, const Chosen& chosen) {
  Findings findings;
  findings.format = table.format;
  findings.rows = table.rows;
  findings.rows_left_out = table.rows - chosen.rows.size();
  findings.has_header = table.has_header;
  findings.header_reason = table.header_reason;
  findings.decimal_comma = table.decimal_comma;
  findings.remarks = table.remarks;
  if (chosen.label) findings.label = chosen.label->name;
  findings.sparse = table.sparse;
  findings.distances_in_file = table.distances != nullptr;
  findings.graph = table.graph;
  findings.other_components = chosen.other_components;
  findings.gaps_stay = request.reading == Reading::mixed;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    findings.columns.push_back(look_at(column, chosen.categories[i]));
    findings.columns.back().unread = chosen.unread[i];
    findings.columns.back().statistics = statistics_of(column);
    if (&column == chosen.label)
      findings.columns.back().use = ColumnUse::label;
    else if (std::find(chosen.columns.begin(), chosen.columns.end(), &column) != chosen.columns.end())
      findings.columns.back().use = ColumnUse::distances;
  }
  if (table.picture || table.graph || is_made(table.source)) return findings;  // these need no suggestions
  suggest_another_reading(table, request, chosen, findings);
  if (table.sparse || !findings.suggestions.empty()) return findings;
  if (!findings.gaps_stay) suggest_for_missing(table, findings);
  suggest_for_counters(findings);
  suggest_for_classes(table, findings);
  suggest_for_categories(findings, !request.columns.empty());
  if (!findings.gaps_stay) suggest_for_scales(table, chosen, findings);
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
            "they stay in the file, and are read when they are needed"};
  const std::string size =
      count_of(rows, "row") + " × " + count_of(sparse ? sparse->columns : columns.size(), "column");
  std::vector<std::string> said = {size + ", " + (sparse ? stored_text(*sparse) + ", " : "") + format};
  said.insert(said.end(), said_of_header.begin(), said_of_header.end());
  said.insert(said.end(), remarks.begin(), remarks.end());
  Names numbers, categories, texts, constants, empty;
  std::map<std::string, Names> dates;  // by the day that they count from
  std::size_t missing = 0;
  for (const ColumnFinding& column : columns) {
    if (column.use == ColumnUse::distances)
      (column.kind == ColumnKind::categories ? categories : numbers).push_back(column.name);
    if (column.use == ColumnUse::distances && column.constant) constants.push_back(column.name);
    if (column.use == ColumnUse::distances) missing += column.missing;
    if (column.use == ColumnUse::distances && column.kind == ColumnKind::dates)
      dates[column.days_since].push_back(column.name);
    if (column.use == ColumnUse::annotation && column.kind != ColumnKind::empty) texts.push_back(column.name);
    if (column.kind == ColumnKind::empty) empty.push_back(column.name);
  }
  std::string part;
  if (!numbers.empty()) part = count_of(numbers.size(), "column") + " of numbers";
  if (!categories.empty()) {
    if (!part.empty()) part += " and ";
    part += count_of(categories.size(), "column") + " of categories (" + list_of(categories) + ")";
  }
  said.push_back("distances are taken over " + (sparse ? "all columns" : part));
  for (const auto& [first_day, names] : dates)
    said.push_back(list_of(names) + (names.size() == 1 ? " is a date" : " are dates") + ": days since " + first_day);
  said.push_back(label.empty() ? "no column colours the points" : shown(label) + " colours the points");
  if (!texts.empty())
    said.push_back(list_of(texts) + (texts.size() == 1 ? " annotates" : " annotate") + " the points only");
  if (!constants.empty())
    said.push_back(list_of(constants) + (constants.size() == 1 ? " is" : " are") + " the same in all rows");
  if (!empty.empty()) said.push_back(list_of(empty) + (empty.size() == 1 ? " is empty" : " are empty"));
  for (const ColumnFinding& column : columns)
    if (!column.unread.empty()) said.push_back(unread_sentence(column.name, column.unread, decimal_comma));
  if (rows_left_out > 0) said.push_back(count_of(rows_left_out, "row") + " left out for missing values");
  if (gaps_stay && missing > 0)
    said.push_back(count_of(missing, "missing value") + " left out, pair by pair");
  else if (rows_left_out == 0 && missing > 0)
    said.push_back(count_of(missing, "missing value") + " filled with the means of the columns");
  return said;
}

bool applies(const Suggestion& suggestion, ParameterSet& parameters) {
  if (suggestion.parameter.empty()) return true;
  const Parameter* parameter = parameters.find(suggestion.parameter);
  if (!parameter || parameter->text() == suggestion.value) return false;
  return suggestion.kind != Suggestion::Kind::standardize || parameter->text() == parameter->default_text();
}

DataRequest apply(const Suggestion& suggestion, DataRequest request) {
  if (suggestion.kind == Suggestion::Kind::fill_missing) request.missing = Missing::mean;
  if (suggestion.kind == Suggestion::Kind::use_as_label) {
    request.label = suggestion.columns.front();
    std::erase(request.columns, request.label);
  }
  if (!suggestion.taking_part.empty()) request.columns = suggestion.taking_part;
  return request;
}

}  // namespace kinescope::sim
