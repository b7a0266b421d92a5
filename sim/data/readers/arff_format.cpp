// Weka's ARFF (waikato.github.io/weka-wiki/formats_and_processing/arff_stable), dense and sparse.
#include <algorithm>
#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/file_format.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// Whether the first line that is no comment is @relation.
bool is_arff(std::string_view head) {
  while (!head.empty()) {
    const std::string_view text = trimmed(without_mark(next_line(head)));
    if (!text.empty() && !text.starts_with('%')) return equals_ignoring_case(text.substr(0, 9), "@relation");
  }
  return false;
}

class ArffReader {
 public:
  explicit ArffReader(InputFile& file) : path_(file.path()), file_(file), lines_(file) {}

  Table read();

 private:
  Error error(const std::string& message) const { return lines_.error(message); }
  // Cuts a value off `rest` at one of `ends` (or at the end), without its quotes.
  std::string take(std::string_view& rest, std::string_view ends, bool& quoted) const;
  void add_attribute(std::string_view rest);
  void add_row(std::string_view line);
  void add_sparse_row(std::string_view line);
  void add_value(Column& column, const std::string& text, bool quoted) const;

  const std::string path_;
  InputFile& file_;
  TextLines lines_;
  Table table_;
  std::vector<std::string> first_values_;  // of an attribute of names: what sparse rows leave out
  RepeatedTexts repeated_;
};

std::string ArffReader::take(std::string_view& rest, std::string_view ends, bool& quoted) const {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
  quoted = rest.starts_with('\'') || rest.starts_with('"');
  std::string text;
  if (!quoted) {
    text = trimmed(rest.substr(0, rest.find_first_of(ends)));
  } else {
    const char quote = rest.front();
    std::size_t at = 1;
    for (; at < rest.size() && rest[at] != quote; ++at) {
      if (rest[at] == '\\' && at + 1 < rest.size()) ++at;
      text += rest[at];
    }
    if (at >= rest.size()) throw error("a quote is never closed");
    rest.remove_prefix(at + 1);
  }
  rest.remove_prefix(std::min(rest.find_first_of(ends), rest.size()));
  return to_utf8(text);
}

void ArffReader::add_attribute(std::string_view rest) {
  bool quoted = false;
  Column& column = table_.columns.emplace_back();
  column.name = take(rest, " \t{", quoted);
  rest = trimmed(rest);
  const std::string_view type = rest.substr(0, rest.find_first_of(" \t"));
  std::string first;
  if (rest.starts_with('{')) {
    column.is_text = true;
    rest.remove_prefix(1);
    first = take(rest, ",}", quoted);
  } else if (equals_ignoring_case(type, "string") || equals_ignoring_case(type, "date")) {
    column.is_text = true;
  } else if (equals_ignoring_case(type, "relational")) {
    throw error("attributes that are tables (relational) are not read: save the data as CSV");
  } else if (!equals_ignoring_case(type, "numeric") && !equals_ignoring_case(type, "real") &&
             !equals_ignoring_case(type, "integer")) {
    throw error("unknown type " + shown(type) + " of an attribute");
  }
  if (table_.columns.size() > maximum_columns) throw error("more than " + std::to_string(maximum_columns) + " columns");
  first_values_.push_back(first);
}

void ArffReader::add_value(Column& column, const std::string& text, bool quoted) const {
  const bool missing = !quoted && (text == "?" || text.empty());
  if (column.is_text) {
    column.texts.push_back(missing ? "" : text);
    return;
  }
  double value = 0;
  const CellKind kind = parse_cell(text, value);
  if (kind == CellKind::text) throw error("expected a number for " + shown(column.name) + ", found " + shown(text));
  column.numbers.push_back(kind == CellKind::missing ? std::numeric_limits<double>::quiet_NaN() : value);
}

void ArffReader::add_row(std::string_view line) {
  const std::size_t count = table_.columns.size();
  const bool blanks = line.find(',') == std::string_view::npos;  // they separate as well, as Weka reads
  for (std::size_t i = 0; i < count; ++i) {
    bool quoted = false;
    add_value(table_.columns[i], take(line, i + 1 == count ? ",{" : blanks ? " \t" : ",", quoted), quoted);
    if (i + 1 < count && line.empty())
      throw error("expected " + count_of(count, "value") + ", found " + std::to_string(i + 1));
    if (i + 1 < count) line.remove_prefix(1);
  }
  // What may follow is a comma, and a weight of the row: ", {5}".
  if (line != "," && !line.empty() && line.find('{') == std::string_view::npos)
    throw error("more than " + count_of(count, "value"));
}

// "{INDEX VALUE, INDEX VALUE}": what is not named is 0, or an attribute's first name.
void ArffReader::add_sparse_row(std::string_view line) {
  line.remove_prefix(1);
  std::size_t next = 0;
  const auto fill_to = [&](std::size_t end) {
    for (; next < end; ++next) {
      if (table_.columns[next].is_text) repeated_.add(path_, file_.bytes_read(), first_values_[next].size());
      table_.columns[next].is_text ? table_.columns[next].texts.push_back(first_values_[next])
                                   : table_.columns[next].numbers.push_back(0.0F);
    }
  };
  while (!(line = trimmed(line)).starts_with('}')) {
    if (line.empty()) throw error("a row in braces is never closed");
    std::size_t index = 0;
    const auto [stop, status] = std::from_chars(line.data(), line.data() + line.size(), index);
    if (status != std::errc() || index >= table_.columns.size() || index < next)
      throw error("expected the number of an attribute, ascending from 0, found " + shown(line));
    line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
    fill_to(index);
    bool quoted = false;
    const std::string value = take(line, ",}", quoted);
    add_value(table_.columns[next++], value, quoted);
    if (line.starts_with(',')) line.remove_prefix(1);
  }
  fill_to(table_.columns.size());
}

// Numbers as numbers, names, texts and dates as texts; "?" is missing. Throws Error (input) with file and line;
// Cancelled. O(bytes).
Table ArffReader::read() {
  table_.format = "ARFF";
  bool data = false;
  constexpr std::size_t values_between_checks = 1 << 24;
  std::size_t checked = 0;
  while (lines_.next()) {
    std::string_view line = trimmed(lines_.text());
    if (line.empty() || line.starts_with('%')) continue;
    if (data) {
      line.starts_with('{') ? add_sparse_row(line) : add_row(line);
      table_.row_lines.push_back(lines_.number());
      ++table_.rows;
      if (const std::size_t values = table_.rows * table_.columns.size(); values > checked + values_between_checks) {
        checked = values;
        require_density(path_, values, "cells", file_.bytes_read());
        require_memory(path_, static_cast<double>(values) * sizeof(double));
      }
      continue;
    }
    const std::string_view key = next_word(line);
    if (equals_ignoring_case(key, "@attribute"))
      add_attribute(line);
    else if (equals_ignoring_case(key, "@data"))
      data = true;
    else if (!equals_ignoring_case(key.substr(0, 9), "@relation"))
      throw error("expected @attribute or @data, found " + shown(key));
    if (data && table_.columns.empty()) throw error("no attributes");
  }
  if (table_.rows == 0) throw file_error(path_, data ? "no rows" : "no @data");
  return std::move(table_);
}

}  // namespace

extern const FileFormat arff_format = {
    .name = "ARFF tables",
    .endings = ".arff",
    .fit = [](InputFile& file) { return fit_if(is_arff(file.head()), Fit::certain); },
    .read = [](const SourceFile& source) { return ArffReader(source.file).read(); },
    .otherwise = "not an ARFF file: it does not begin with @relation"};

}  // namespace kinescope::sim
