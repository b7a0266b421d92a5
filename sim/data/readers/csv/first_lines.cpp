#include "sim/data/readers/csv/first_lines.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <iterator>
#include <optional>
#include <unordered_set>

#include "sim/data/readers/csv/csv_records.hpp"
#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

using Cells = std::vector<std::string>;
using Records = std::vector<CsvSample::Record>;

std::optional<std::size_t> count_in(const std::string& cell) {
  std::size_t count = 0;
  const auto [stop, error] = std::from_chars(cell.data(), cell.data() + cell.size(), count);
  if (error != std::errc() || stop != cell.data() + cell.size() || cell.empty()) return std::nullopt;
  return count;
}

// Whether the record `at` counts the rows below it, or these and their numbers.
bool counts_rows(const CsvSample& sample, std::size_t at, bool whole) {
  const Cells& cells = sample.records[at].cells;
  const std::size_t below = sample.records.size() - at - 1;
  if (below < 2 || sample.columns < 2 || cells.size() > 2 || cells.size() == sample.columns) return false;
  for (std::size_t i = at + 1; i < sample.records.size(); ++i)
    if (sample.records[i].cells.size() != sample.columns) return false;
  const std::optional<std::size_t> rows = count_in(cells.front());
  if (!rows) return false;
  if (cells.size() == 2) return *rows >= below && count_in(cells.back()) == sample.columns - 1;
  return whole ? *rows == below : *rows >= below;
}

bool is_text(const std::string& cell, bool decimal_comma) {
  return kind_of_cell(cell, decimal_comma) == CellKind::text && !days_to(cell);
}

// The columns whose cells, from record `from` on, are numbers or missing, and not all missing.
std::vector<std::size_t> columns_of_numbers(const CsvSample& sample, std::size_t from) {
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < sample.columns; ++c) {
    bool any = false, all = true;
    for (std::size_t i = from; i < sample.records.size() && all; ++i) {
      const Cells& cells = sample.records[i].cells;
      if (c >= cells.size()) continue;
      const std::string& cell = cells[c];
      const CellKind kind = kind_of_cell(cell, sample.dialect.decimal_comma);
      any = any || kind == CellKind::number || days_to(cell);
      all = kind == CellKind::number || kind == CellKind::missing || days_to(cell);
    }
    if (any && all) found.push_back(c);
  }
  return found;
}

bool name_columns(const Cells& cells, bool decimal_comma) {
  std::unordered_set<std::string_view> distinct(cells.begin(), cells.end());
  return distinct.size() == cells.size() &&
         std::ranges::all_of(cells, [&](const std::string& cell) { return is_text(cell, decimal_comma); });
}

// Of several records above the rows, those that are not the header: texts in columns of numbers, as units and the
// second names of columns are, and whatever stands above these.
void find_other_headers(const CsvSample& sample, FirstLines& found) {
  const Records& records = sample.records;
  const std::size_t top = sample.first;
  constexpr std::size_t fewest_rows = 2, most_headers = 5;
  if (sample.alike < 1 || records.size() <= top + fewest_rows) return;
  for (std::size_t i = top; i < records.size(); ++i)
    if (records[i].cells.size() != sample.columns) return;
  const bool decimal_comma = sample.dialect.decimal_comma;
  const auto is_empty = [](const Cells& cells) { return std::ranges::all_of(cells, &std::string::empty); };
  for (std::size_t last = std::min(top + most_headers, records.size() - fewest_rows) - 1; last > top; --last) {
    const std::vector<std::size_t> numbers = columns_of_numbers(sample, last + 1);
    const auto count_texts = [&](const Cells& cells) {
      return static_cast<std::size_t>(
          std::ranges::count_if(numbers, [&](std::size_t c) { return is_text(cells[c], decimal_comma); }));
    };
    const Cells &first = records[top].cells, &lowest = records[last].cells;
    const bool any_number = std::ranges::any_of(numbers, [&](std::size_t c) {
      return kind_of_cell(lowest[c], decimal_comma) == CellKind::number || days_to(lowest[c]);
    });
    if (numbers.size() < 2 || any_number || 2 * count_texts(lowest) < numbers.size()) continue;
    std::size_t header = top;
    while (header < last && !name_columns(records[header].cells, decimal_comma)) ++header;
    const bool named = name_columns(records[header].cells, decimal_comma), two = last == top + 1;
    if (two && (!named || count_texts(first) == 0)) continue;
    if (!named) header = top;
    for (std::size_t i = top; i <= last || (!two && i + fewest_rows < records.size() && is_empty(records[i].cells));
         ++i)
      if (i != header) found.skipped.push_back(records[i].line);
    if (header > top) {
      found.reason = "the names of the columns are in the line below it";
    } else {
      found.reason = "it stands between the names and the numbers";
      std::vector<std::string> units;
      std::ranges::remove_copy(lowest, std::back_inserter(units), "");
      if (two) found.reason += ", as units do: " + list_of(units);
    }
    return;
  }
}

// A header may be the last comment above the rows, if these have none of their own.
void find_header_comment(const CsvSample& sample, std::string_view head, FirstLines& found) {
  if (sample.records.empty() || sample.dialect.word_vectors || sample.columns < 2) return;
  const Cells& first = sample.records.front().cells;
  if (first.size() != sample.columns) return;
  std::string_view comment;
  for (std::size_t line = 1; line < sample.records.front().line; ++line) {
    const std::string_view text = head.substr(0, head.find_first_of("\r\n"));
    const std::size_t begin = text.find_first_not_of(" \t");
    if (begin != std::string_view::npos && text[begin] == '#') {
      comment = text.substr(begin + 1);
      found.header_comment = line;
    }
    head.remove_prefix(std::min(head.size(), text.size() + (head.substr(text.size(), 2) == "\r\n" ? 2 : 1)));
  }
  CsvShape shape;
  shape.dialect = sample.dialect;
  shape.dialect.quotes = false;
  const std::string text = (sample.dialect.separator == ' ' ? "" : " ") + std::string(comment);
  CsvRecords records(shape, text, 1);
  bool names = found.header_comment > 0 && records.next() && records.cells().size() == sample.columns;
  for (std::size_t c = 0; names && c < sample.columns; ++c) {
    const std::string_view cell = records.cells()[c];
    names = kind_of_cell(cell) == CellKind::text || (c == 0 && cell.empty());
  }
  const std::vector<std::size_t> numbers = columns_of_numbers(sample, 1);
  const bool own =
      std::ranges::any_of(numbers, [&](std::size_t c) { return is_text(first[c], sample.dialect.decimal_comma); });
  if (!names || own) found.header_comment = 0;
}

}  // namespace

FirstLines find_first_lines(const CsvSample& sample, std::string_view head, bool whole) {
  FirstLines found;
  for (std::size_t at = 0; at < 2 && at < sample.records.size(); ++at) {
    if (at == 1 && sample.records.front().cells.size() != sample.columns) break;
    if (!counts_rows(sample, at, whole)) continue;
    found.skipped.push_back(sample.records[at].line);
    found.reason = sample.records[at].cells.size() == 2 ? "it counts the rows and their numbers" : "it counts the rows";
    return found;
  }
  find_other_headers(sample, found);
  if (found.skipped.empty()) find_header_comment(sample, head, found);
  return found;
}

}  // namespace kinescope::sim
