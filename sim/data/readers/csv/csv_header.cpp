#include "sim/data/readers/csv/csv_header.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "sim/data/readers/csv/dates.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

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

bool count_up(const std::vector<double>& numbers) {
  return numbers.size() >= 3 && std::adjacent_find(numbers.begin(), numbers.end(),
                                                   [](double a, double b) { return b != a + 1; }) == numbers.end();
}

// "2019", "2020", … as the years above a table: at least three, each the one after the last.
bool are_years(const std::vector<double>& numbers) {
  return count_up(numbers) && numbers.front() >= 1500 && numbers.back() <= 2500;
}

// What is known about the cells of record one.
struct FirstRecord {
  bool all_text = true, columns_all_text = true, any_number = false;
  std::vector<double> numbers, below;  // its numbers, and those of the next record
};

}  // namespace

std::string reason_for_header(const std::vector<std::string>& first, const std::vector<CsvColumn>& columns,
                              std::size_t rows, bool decimal_comma) {
  FirstRecord found;
  for (std::size_t i = 0; i < first.size(); ++i) {
    double value = 0;
    const Column& column = columns[i].column;
    const bool dates = columns[i].dates, numbers = dates || (columns[i].holds_numbers() && !columns[i].holds_texts());
    const CellKind kind = numbers && is_missing_dash(first[i]) ? CellKind::missing
                          : numbers && days_to(first[i])       ? CellKind::number
                                                               : parse_cell(first[i], value, decimal_comma);
    if (columns[i].values == 0 && kind == CellKind::missing) continue;
    if (kind == CellKind::text && (numbers || rows == 0))
      return shown(to_utf8(first[i])) + " stands above " + (rows == 0 ? "nothing" : dates ? "dates" : "numbers");
    found.all_text = found.all_text && kind == CellKind::text;
    found.columns_all_text =
        found.columns_all_text && !numbers && columns[i].holds_texts() && !columns[i].holds_numbers();
    found.any_number = found.any_number || (kind == CellKind::number && numbers);
    if (kind == CellKind::number) found.numbers.push_back(value);
    if (kind == CellKind::number && !column.numbers.empty()) found.below.push_back(column.numbers.front());
  }
  if (are_years(found.numbers) && !are_years(found.below)) return "its numbers are consecutive years";
  // As pandas writes tables whose columns have no names.
  if (first.front().empty() && found.numbers.size() + 1 == first.size() && count_up(found.numbers) &&
      found.numbers.front() == 0 && columns.front().values == rows && !count_up(found.below))
    return "its cells are the numbers of the columns";
  if (found.all_text && !found.columns_all_text) return "all its cells are text, but not all columns are";
  for (std::size_t i = 0; i < first.size(); ++i) {
    double value = 0;
    const bool texts = columns[i].holds_texts() && !columns[i].holds_numbers() && !columns[i].dates;
    if (parse_cell(first[i], value, decimal_comma) != CellKind::text || !texts) continue;
    const Recurrence recurring = recurrence(columns[i].column.texts, to_utf8(first[i]));
    // If record one also holds numbers, it may well be data, so more of the other texts must recur.
    const std::size_t least = found.any_number ? recurring.rows - recurring.rows / 10 : (recurring.rows + 1) / 2;
    if (!recurring.first_recurs && recurring.recurring > 0 && recurring.recurring >= least)
      return shown(to_utf8(first[i])) + " is unique, but the other texts of its column recur";
  }
  return "";
}

ShortHeader short_header(const std::vector<std::string>& first, CsvRecords following, bool decimal_comma) {
  const auto is_name = [&](std::string_view cell) {
    double value = 0;
    return parse_cell(cell, value, decimal_comma) == CellKind::text;
  };
  if (first.size() < 2 || !std::all_of(first.begin(), first.end(), is_name)) return ShortHeader::no;
  bool row_names = true, empty_end = true;
  int records = 0;
  for (; records < 2 && following.next(); ++records) {
    const std::vector<std::string_view>& cells = following.cells();
    if (cells.size() != first.size() + 1) return ShortHeader::no;
    empty_end = empty_end && cells.back().empty();
    row_names = row_names && !std::all_of(cells.begin() + 1, cells.end(), is_name);
  }
  if (records == 0) return ShortHeader::no;
  return empty_end ? ShortHeader::of_an_empty_end : row_names ? ShortHeader::of_row_names : ShortHeader::no;
}

}  // namespace kinescope::sim
