#include "sim/data/readers/csv.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv_records.hpp"
#include "sim/data/readers/dates.hpp"
#include "sim/data/readers/dialect.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr float missing_number = std::numeric_limits<float>::quiet_NaN();

// A column while it is read. Its first value decides whether it is one of numbers. A column with both becomes text if
// it has many different texts, like ticket numbers; otherwise its first text is reported as a stray.
struct GrowingColumn {
  enum class Holds { nothing, numbers, text, both };
  static constexpr std::size_t most_beginnings = 1000;

  Column column;
  Holds holds = Holds::nothing;
  std::vector<std::string> beginnings;  // a column of numbers: its first cells as written
  std::size_t texts = 0, values = 0;    // values: numbers and texts together
  std::string first_text;
  std::size_t text_line = 0;  // line of the first text
  bool texts_differ = false;

  bool is_text_with_numbers() const { return texts >= 10 && 10 * texts >= values && texts_differ; }
};

class CsvTable {
 public:
  CsvTable(const std::string& path, Header header, bool decimal_comma)
      : path_(path), header_(header), decimal_comma_(decimal_comma) {}

  void add_record(const std::vector<std::string_view>& cells, std::size_t line);
  Table finish();

 private:
  using Holds = GrowingColumn::Holds;

  void begin(const std::vector<std::string_view>& cells, std::size_t line);
  void add_row(const std::vector<std::string_view>& cells, std::size_t line);
  void add_cell(GrowingColumn& growing, std::string_view cell, std::size_t line);
  void note_text(GrowingColumn& growing, std::string_view cell, std::size_t line);
  void decide_header();
  std::string reason_for_header() const;
  void put_first_row_in_front();
  CellKind kind_of(std::string_view cell, float& value) const { return parse_cell(cell, value, decimal_comma_); }
  void check_size() const;
  std::string hint_at_title(std::size_t cells, std::size_t line) const;

  std::string path_;
  Header header_;
  bool decimal_comma_;
  std::vector<std::string> first_;  // the cells of record one, kept until the others tell whether it is a header
  std::size_t first_line_ = 0;
  std::vector<GrowingColumn> columns_;
  std::vector<std::size_t> lines_;
  std::size_t cells_unchecked_ = 0;
  std::string reason_;
};

// Gives every column its own name: an empty one its number, a repeated one a suffix.
std::vector<std::string> column_names(const std::vector<std::string>& cells) {
  std::vector<std::string> names;
  std::unordered_set<std::string> taken;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const std::string wanted = !cells[i].empty() ? to_utf8(cells[i]) : numbered_name(i);
    std::string name = wanted;
    // The first suffix is the column's number, so that many equal names cost no more than few.
    for (std::size_t suffix = i; !taken.insert(name).second; ++suffix) name = wanted + "_" + std::to_string(suffix);
    names.push_back(std::move(name));
  }
  return names;
}

void CsvTable::add_record(const std::vector<std::string_view>& cells, std::size_t line) {
  if (first_.empty()) return begin(cells, line);
  if (cells.size() != columns_.size())
    throw file_error(path_, line,
                     "expected " + std::to_string(columns_.size()) + " columns, found " + std::to_string(cells.size()) +
                         hint_at_title(cells.size(), line));
  add_row(cells, line);
}

// Titles and remarks that people write above a table are lines of one cell.
std::string CsvTable::hint_at_title(std::size_t cells, std::size_t line) const {
  constexpr std::size_t most_lines = 20;
  if (columns_.size() > 1 || cells < 2 || line > most_lines) return "";
  return "; if the table begins here, `--skip-rows " + std::to_string(line - 1) + "` leaves out what stands above it";
}

// Until the columns' names are known, errors use the names that may be in record one.
void CsvTable::begin(const std::vector<std::string_view>& cells, std::size_t line) {
  first_.assign(cells.begin(), cells.end());
  first_line_ = line;
  columns_.resize(cells.size());
  float value = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool name =
        header_ == Header::yes || (header_ == Header::automatic && kind_of(cells[i], value) == CellKind::text);
    columns_[i].column.name = name && !cells[i].empty() ? to_utf8(cells[i]) : numbered_name(i);
  }
}

void CsvTable::add_row(const std::vector<std::string_view>& cells, std::size_t line) {
  constexpr std::size_t cells_between_checks = 1 << 20;
  if ((cells_unchecked_ += cells.size()) >= cells_between_checks) {
    check_size();
    cells_unchecked_ = 0;
  }
  lines_.push_back(line);
  for (std::size_t i = 0; i < cells.size(); ++i) add_cell(columns_[i], cells[i], line);
}

// True for a whole number beyond 2^24.
bool loses_digits(std::string_view cell, float value) {
  constexpr std::size_t fewest = 8;
  std::int64_t whole = 0;
  if (cell.size() < fewest) return false;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), whole);
  return error == std::errc() && stop == cell.data() + cell.size() &&
         static_cast<double>(whole) != static_cast<double>(value);
}

// Keeps the cell as written; the cells before it are exact as numbers.
void keep_text(Column& column, std::string_view cell, CellKind kind) {
  column.texts.reserve(column.numbers.capacity());
  for (std::size_t row = column.texts.size(); row < column.numbers.size(); ++row) {
    char text[32];
    const float number = column.numbers[row];
    column.texts.emplace_back(text, std::isnan(number) ? text : std::to_chars(text, text + sizeof text, number).ptr);
  }
  column.texts.emplace_back(kind == CellKind::missing ? std::string_view() : cell);
}

void CsvTable::add_cell(GrowingColumn& growing, std::string_view cell, std::size_t line) {
  Column& column = growing.column;
  float value = missing_number;
  const CellKind kind = kind_of(cell, value);
  if (kind == CellKind::beyond)
    throw file_error(path_, line, "column " + shown(column.name) + ": " + shown(cell) + " is beyond float32");
  growing.values += kind != CellKind::missing;
  if (kind == CellKind::text) note_text(growing, cell, line);
  if (kind == CellKind::number) growing.holds = growing.texts > 0 ? Holds::both : Holds::numbers;
  if (column.is_text) {
    column.texts.push_back(kind == CellKind::missing ? std::string() : to_utf8(cell));
  } else {
    if (!column.texts.empty() || (kind == CellKind::number && loses_digits(cell, value))) keep_text(column, cell, kind);
    if (column.numbers.size() < GrowingColumn::most_beginnings)
      growing.beginnings.push_back(kind == CellKind::missing ? std::string() : std::string(cell));
    column.numbers.push_back(value);
  }
}

// A column of numbers turns into texts as long as their texts are still known; later a text counts as a missing value.
void CsvTable::note_text(GrowingColumn& growing, std::string_view cell, std::size_t line) {
  Column& column = growing.column;
  if (growing.texts++ == 0) {
    growing.first_text = to_utf8(cell);
    growing.text_line = line;
  }
  growing.texts_differ = growing.texts_differ || to_utf8(cell) != growing.first_text;
  if (column.is_text) return;
  growing.holds = growing.holds == Holds::nothing ? Holds::text : Holds::both;
  if (column.numbers.size() > growing.beginnings.size()) return;
  column.is_text = true;
  column.texts = std::exchange(growing.beginnings, {});
  column.numbers = {};
}

void CsvTable::check_size() const {
  const std::uint64_t values = static_cast<std::uint64_t>(lines_.size()) * columns_.size();
  if (values > maximum_values) throw file_error(path_, "more than 2^31 values");
  double bytes = 0;
  for (const GrowingColumn& growing : columns_) {
    bytes += growing.column.texts.empty() ? 0 : sizeof(std::string);
    bytes += growing.column.is_text ? 0 : sizeof(float);
  }
  require_memory(path_, bytes * static_cast<double>(lines_.size()));
}

struct Recurrence {
  bool first_recurs = false;  // the text of record one occurs again
  std::size_t rows = 0;       // rows that have a text
  std::size_t recurring = 0;  // rows whose text another row has too
};

Recurrence recurrence(const std::vector<std::string>& texts, const std::string& first) {
  constexpr std::size_t rows_to_look_at = 10'000;
  std::unordered_map<std::string_view, std::size_t> counts;
  for (std::size_t row = 0; row < std::min(texts.size(), rows_to_look_at); ++row)
    if (!texts[row].empty()) ++counts[texts[row]];
  Recurrence found;
  for (const auto& [text, count] : counts) {
    found.rows += count;
    if (count > 1) found.recurring += count;
    found.first_recurs = found.first_recurs || text == first;
  }
  return found;
}

// "2019", "2020", … as the years above a table: at least three, each the one after the last.
bool are_years(const std::vector<float>& numbers) {
  if (numbers.size() < 3 || numbers.front() < 1500 || numbers.back() > 2500) return false;
  return std::adjacent_find(numbers.begin(), numbers.end(), [](float a, float b) { return b != a + 1; }) ==
         numbers.end();
}

// Why record one is a header, as csv.hpp defines; "" if it is not.
std::string CsvTable::reason_for_header() const {
  bool all_text = true, columns_all_text = true, any_number = false;
  std::vector<float> numbers, below;  // of record one, and of the next
  for (std::size_t i = 0; i < first_.size(); ++i) {
    float value = 0;
    const Holds holds = columns_[i].holds;
    const CellKind kind = holds == Holds::numbers && days_to(first_[i]) ? CellKind::number : kind_of(first_[i], value);
    if (holds == Holds::nothing && kind == CellKind::missing) continue;
    if (kind == CellKind::text && (holds == Holds::numbers || lines_.empty()))
      return shown(to_utf8(first_[i])) + " stands above " +
             (lines_.empty()               ? "nothing"
              : columns_[i].column.is_text ? "dates"
                                           : "numbers");
    all_text = all_text && kind == CellKind::text;
    columns_all_text = columns_all_text && holds == Holds::text;
    any_number = any_number || (kind == CellKind::number && holds == Holds::numbers);
    if (kind != CellKind::number || columns_[i].column.numbers.empty()) continue;
    numbers.push_back(value);
    below.push_back(columns_[i].column.numbers.front());
  }
  if (are_years(numbers) && !are_years(below)) return "its numbers are years, one after the other";
  if (all_text && !columns_all_text) return "all of it is text, but not all columns are";
  for (std::size_t i = 0; i < first_.size(); ++i) {
    float value = 0;
    if (kind_of(first_[i], value) != CellKind::text || columns_[i].holds != Holds::text) continue;
    const Recurrence found = recurrence(columns_[i].column.texts, to_utf8(first_[i]));
    // Beside numbers, which may well be data, a name must stand out more.
    const std::size_t least = any_number ? found.rows - found.rows / 10 : (found.rows + 1) / 2;
    if (!found.first_recurs && found.recurring > 0 && found.recurring >= least)
      return shown(to_utf8(first_[i])) + " never recurs, as the other texts of its column do";
  }
  return "";
}

void CsvTable::decide_header() {
  if (header_ == Header::automatic) {
    reason_ = reason_for_header();
    header_ = reason_.empty() ? Header::no : Header::yes;
    if (reason_.empty()) reason_ = "row 1 looks like the rows below it";
  } else {
    reason_ = header_ == Header::yes ? "--header yes asks for it" : "--header no asks for it";
  }
}

void CsvTable::put_first_row_in_front() {
  for (std::size_t i = 0; i < first_.size(); ++i) {
    GrowingColumn& growing = columns_[i];
    Column& column = growing.column;
    column.name = numbered_name(i);
    add_cell(growing, first_[i], first_line_);
    // add_cell has put it at the end.
    std::rotate(column.numbers.begin(), column.numbers.end() - (column.numbers.empty() ? 0 : 1), column.numbers.end());
    std::rotate(column.texts.begin(), column.texts.end() - (column.texts.empty() ? 0 : 1), column.texts.end());
  }
  lines_.insert(lines_.begin(), first_line_);
}

Table CsvTable::finish() {
  if (first_.empty()) throw file_error(path_, "no rows");
  for (GrowingColumn& growing : columns_)
    if (holds_dates(growing.column)) growing.holds = Holds::numbers;
  decide_header();
  if (header_ == Header::yes && lines_.empty()) throw file_error(path_, "only a header, no rows");
  if (header_ == Header::no) {
    put_first_row_in_front();
  } else {
    const std::vector<std::string> names = column_names(first_);
    for (std::size_t i = 0; i < names.size(); ++i) columns_[i].column.name = names[i];
  }
  for (GrowingColumn& growing : columns_)
    if (holds_dates(growing.column)) turn_into_days(growing.column);
  check_size();
  Table table;
  table.source = path_;
  table.rows = lines_.size();
  table.row_lines = std::move(lines_);
  table.has_header = header_ == Header::yes;
  table.header_reason = std::move(reason_);
  for (GrowingColumn& growing : columns_) {
    Column& column = table.columns.emplace_back(std::move(growing.column));
    if (growing.holds != Holds::both || (column.is_text && growing.is_text_with_numbers())) continue;
    column.stray_text = std::move(growing.first_text);
    column.stray_line = growing.text_line;
  }
  return table;
}

// The rest of the head after so many lines.
std::string_view without_lines(std::string_view head, std::size_t lines) {
  for (; lines > 0 && !head.empty(); --lines) {
    const std::size_t end = head.find_first_of("\r\n");
    if (end == std::string_view::npos) return "";
    head.remove_prefix(end + (head.substr(end, 2) == "\r\n" ? 2 : 1));
  }
  return head;
}

}  // namespace

Table read_csv(InputFile& file, const TableFormat& format) {
  std::string plain_name = file_name(file.path());
  if (ends_with_ignoring_case(plain_name, ".gz")) plain_name.resize(plain_name.size() - 3);
  const char named = named_separator(file.head());
  const std::size_t skipped = named ? std::max<std::size_t>(format.skip_rows, 1) : format.skip_rows;
  const char known = named ? named : ends_with_ignoring_case(plain_name, ".tsv") ? '\t' : '\0';
  const Dialect dialect = sniff_dialect(without_lines(file.head(), skipped), known);
  CsvRecords records(file, dialect.separator, skipped);
  CsvTable building(file.path(), format.header, dialect.decimal_comma);
  while (records.next()) building.add_record(records.cells(), records.line());
  Table table = building.finish();
  table.format = dialect.separator == '\t' ? "TSV" : "CSV";
  if (dialect.separator == ';') table.format += ", separated by semicolons";
  if (dialect.separator == ' ') table.format += ", separated by blanks";
  if (dialect.decimal_comma) table.format += ", decimal commas";
  if (file.gzipped()) table.format += ", gzipped";
  return table;
}

}  // namespace kinescope::sim
