#include "sim/data/csv.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <unordered_set>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/csv_records.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr float missing_number = std::numeric_limits<float>::quiet_NaN();

// A column while it is read. It is of numbers until its first value says otherwise.
struct GrowingColumn {
  enum class Holds { nothing, numbers, text };

  Column column;
  Holds holds = Holds::nothing;
  std::size_t text_line = 0;  // where the first text stood
};

class CsvTable {
 public:
  explicit CsvTable(const std::string& path) : path_(path) {}

  void add_record(const std::vector<std::string_view>& cells, std::size_t line);
  Table finish();

 private:
  void begin(const std::vector<std::string_view>& cells);
  void add_row(const std::vector<std::string_view>& cells, std::size_t line);
  void add_cell(GrowingColumn& growing, std::string_view cell, std::size_t line);
  void check_size() const;
  Error expected_number(const GrowingColumn& growing, std::size_t line, std::string_view found) const;

  std::string path_;
  bool begun_ = false;
  std::vector<GrowingColumn> columns_;
  std::vector<std::size_t> lines_;
};

std::string_view first_text(const Column& column) {
  return *std::find_if(column.texts.begin(), column.texts.end(), [](const std::string& text) { return !text.empty(); });
}

bool is_header(const std::vector<std::string_view>& cells) {
  float value = 0;
  return std::any_of(cells.begin(), cells.end(),
                     [&](std::string_view cell) { return parse_cell(cell, value) == CellKind::text; });
}

// Every column gets a name of its own: an empty one its number, a repeated one a suffix.
std::vector<std::string> column_names(const std::vector<std::string_view>& cells, bool header) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string wanted = header && !cells[i].empty() ? to_utf8(cells[i]) : numbered_name(i);
    std::string name = wanted;
    // The column's number makes the first try differ for each column, so that many equal names cost no more than few.
    for (std::size_t suffix = i; !taken.insert(name).second; ++suffix) name = wanted + "_" + std::to_string(suffix);
    names.push_back(std::move(name));
  }
  return names;
}

void CsvTable::add_record(const std::vector<std::string_view>& cells, std::size_t line) {
  if (!begun_) {
    begin(cells);
    if (is_header(cells)) return;
  }
  if (cells.size() != columns_.size())
    throw file_error(path_, line,
                     "expected " + std::to_string(columns_.size()) + " columns, found " + std::to_string(cells.size()));
  add_row(cells, line);
}

void CsvTable::begin(const std::vector<std::string_view>& cells) {
  begun_ = true;
  columns_.resize(cells.size());
  std::vector<std::string> names = column_names(cells, is_header(cells));
  for (std::size_t i = 0; i < cells.size(); ++i) columns_[i].column.name = std::move(names[i]);
}

void CsvTable::add_row(const std::vector<std::string_view>& cells, std::size_t line) {
  if (lines_.size() % 4096 == 0) check_size();
  lines_.push_back(line);
  for (std::size_t i = 0; i < cells.size(); ++i) add_cell(columns_[i], cells[i], line);
}

void CsvTable::add_cell(GrowingColumn& growing, std::string_view cell, std::size_t line) {
  using Holds = GrowingColumn::Holds;
  Column& column = growing.column;
  float value = missing_number;
  const CellKind kind = parse_cell(cell, value);
  if (kind == CellKind::beyond)
    throw file_error(path_, line, "column " + shown(column.name) + ": " + shown(cell) + " is beyond float32");
  if (kind == CellKind::number) {
    if (growing.holds == Holds::text) throw expected_number(growing, growing.text_line, first_text(column));
    growing.holds = Holds::numbers;
  } else if (kind == CellKind::text && growing.holds != Holds::text) {
    if (growing.holds == Holds::numbers) throw expected_number(growing, line, cell);
    growing.holds = Holds::text;
    growing.text_line = line;
    column.is_text = true;
    column.texts.resize(column.numbers.size());
    column.numbers = {};
  }
  if (!column.is_text)
    column.numbers.push_back(value);
  else
    column.texts.push_back(kind == CellKind::text ? to_utf8(cell) : std::string());
}

Error CsvTable::expected_number(const GrowingColumn& growing, std::size_t line, std::string_view found) const {
  return file_error(path_, line, "column " + shown(growing.column.name) + ": expected a number, found " + shown(found));
}

void CsvTable::check_size() const {
  const std::uint64_t values = static_cast<std::uint64_t>(lines_.size()) * columns_.size();
  if (values > maximum_values) throw file_error(path_, "more than 2^31 values");
  double bytes = 0;
  for (const GrowingColumn& growing : columns_) bytes += growing.column.is_text ? sizeof(std::string) : sizeof(float);
  require_memory(path_, bytes * static_cast<double>(lines_.size()));
}

Table CsvTable::finish() {
  if (!begun_) throw file_error(path_, "no rows");
  if (lines_.empty()) throw file_error(path_, "only a header, no rows");
  check_size();
  Table table;
  table.source = path_;
  table.rows = lines_.size();
  table.row_lines = std::move(lines_);
  for (GrowingColumn& growing : columns_) table.columns.push_back(std::move(growing.column));
  return table;
}

using SeparatorCounts = std::array<std::size_t, 3>;

// How often each candidate stands outside quotes, for the first lines that are neither blank nor comments.
std::vector<SeparatorCounts> count_separators(std::string_view head, const std::array<char, 3>& candidates) {
  constexpr std::size_t lines_to_look_at = 20;
  std::vector<SeparatorCounts> lines;
  SeparatorCounts count{};
  bool in_quotes = false, blank = true, comment = false;
  for (const char c : head) {
    if ((c == '\n' || c == '\r') && !in_quotes) {
      if (!blank && !comment) lines.push_back(count);
      if (lines.size() == lines_to_look_at) return lines;
      count = {};
      blank = true;
      comment = false;
      continue;
    }
    comment = comment || (blank && c == '#');
    blank = blank && c == ' ';
    if (c == '"' && !comment) in_quotes = !in_quotes;
    for (int i = 0; i < 3 && !in_quotes; ++i) count[i] += c == candidates[i];
  }
  if (lines.empty()) lines.push_back(count);  // one line that has not ended yet
  return lines;
}

}  // namespace

char sniff_separator(std::string_view head) {
  if (head.starts_with(byte_order_mark)) head.remove_prefix(byte_order_mark.size());
  constexpr std::array<char, 3> candidates = {',', '\t', ';'};
  const std::vector<SeparatorCounts> lines = count_separators(head, candidates);
  int best = 0;
  std::size_t best_count = 0;
  for (const bool alike_only : {true, false}) {
    for (int i = 0; i < 3 && !lines.empty(); ++i) {
      const std::size_t count = lines.front()[i];
      const bool alike = std::all_of(lines.begin(), lines.end(), [&](const auto& line) { return line[i] == count; });
      if (count <= best_count || (alike_only && !alike)) continue;
      best = i;
      best_count = count;
    }
    if (best_count > 0) break;
  }
  return candidates[best];
}

Table read_csv(InputFile& file) {
  std::string plain_name = file_name(file.path());
  if (ends_with_ignoring_case(plain_name, ".gz")) plain_name.resize(plain_name.size() - 3);
  const bool tabs = ends_with_ignoring_case(plain_name, ".tsv");
  const char separator = tabs ? '\t' : sniff_separator(file.head());
  CsvRecords records(file, separator);
  CsvTable building(file.path());
  while (records.next()) building.add_record(records.cells(), records.line());
  Table table = building.finish();
  table.format = separator == '\t' ? "TSV" : "CSV";
  if (file.gzipped()) table.format += ", gzipped";
  return table;
}

}  // namespace kinescope::sim
