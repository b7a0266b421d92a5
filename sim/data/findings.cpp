#include "sim/data/findings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>
#include <string_view>
#include <unordered_set>

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
                                  "Standardize"});
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
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    findings.columns.push_back(look_at(column, chosen.categories[i]));
    findings.columns.back().unread = chosen.unread[i];
    if (&column == chosen.label)
      findings.columns.back().use = ColumnUse::label;
    else if (std::find(chosen.columns.begin(), chosen.columns.end(), &column) != chosen.columns.end())
      findings.columns.back().use = ColumnUse::distances;
  }
  if (table.picture || table.sparse || is_made(table.source)) return findings;  // these need no suggestions
  suggest_for_missing(table, findings);
  suggest_for_counters(findings);
  suggest_for_classes(table, findings);
  suggest_for_categories(findings, !request.columns.empty());
  suggest_for_scales(table, chosen, findings);
  return findings;
}

std::vector<std::string> Findings::sentences() const {
  const std::string size =
      count_of(rows, "row") + " × " + count_of(sparse ? sparse->columns : columns.size(), "column");
  std::vector<std::string> said = {size + ", " + (sparse ? stored_text(*sparse) + ", " : "") + format};
  if (!header_reason.empty()) said.push_back((has_header ? "row 1 is the header: " : "no header: ") + header_reason);
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
  if (rows_left_out > 0)
    said.push_back(count_of(rows_left_out, "row") + " left out for missing values");
  else if (missing > 0)
    said.push_back(count_of(missing, "missing value") + " filled with the means of the columns");
  return said;
}

bool applies(const Suggestion& suggestion, ParameterSet& parameters) {
  if (suggestion.kind != Suggestion::Kind::standardize) return true;
  const Parameter* normalize = parameters.find("normalize");
  return normalize && normalize->text() == "none";
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
