#include "sim/data/readers/csv/decimal_commas.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "sim/data/readers/number.hpp"

namespace kinescope::sim {
namespace {

// How the numbers of a column, or of all columns, are written.
struct Marks {
  bool plain_points = false;          // "1.5"
  bool grouping_points = false;       // "1.500", which is 1500 if commas are decimal
  bool commas = false;                // "1,5"; not only such as separate thousands
  bool grouping_commas = false;       // "1,500"
  bool other_commas = false;          // commas in cells that are not numbers
  bool small = false, large = false;  // whole numbers without a mark, below a thousand and above
  // The digits after commas: the fewest and the most, whether some begin with a zero, and whether some end with one.
  std::size_t fewest = std::string::npos, most = 0;
  bool leading_zero = false, trailing_zero = false;
  std::string example;  // the first number with a comma
};

void note_comma(const std::string& cell, Marks& marks) {
  (is_grouped(cell) ? marks.grouping_commas : marks.commas) = true;
  const std::string_view digits = std::string_view(cell).substr(cell.find(',') + 1);
  marks.fewest = std::min(marks.fewest, digits.size());
  marks.most = std::max(marks.most, digits.size());
  // Thousands have such zeros too.
  marks.leading_zero = marks.leading_zero || (digits.size() > 1 && digits.front() == '0' && !is_grouped(cell));
  marks.trailing_zero = marks.trailing_zero || (digits.size() > 1 && digits.back() == '0');
  if (marks.example.empty()) marks.example = cell;
}

// Programs write all numbers of a column with the same number of decimals, or leave out zeros at their end. Pairs of
// whole numbers, such as counts, do neither; nor does the second one begin with a zero.
bool are_pairs(const Marks& marks) {
  return marks.fewest < marks.most && marks.trailing_zero && !marks.leading_zero;
}

// Three digits after each comma, beside whole numbers that none of them would have needed it for.
bool are_thousands(const Marks& marks) {
  return marks.grouping_commas && !marks.commas && marks.small && !marks.large;
}

}  // namespace

std::size_t first_row(const CsvSample& sample) {
  const std::size_t records = sample.records.size() - sample.first;
  return sample.first + (records > 3 ? 2 : records > 1 ? 1 : 0);
}

bool is_decimal(const std::string& cell) {
  return is_decimal_comma(cell) && cell.back() != ',';
}

DecimalCommas decimal_commas(const CsvSample& sample) {
  Marks all;
  std::vector<Marks> columns(sample.columns);
  for (std::size_t i = first_row(sample); i < sample.records.size(); ++i) {
    const std::vector<std::string>& cells = sample.records[i].cells;
    for (std::size_t c = 0; c < std::min(cells.size(), columns.size()); ++c) {
      const std::string& cell = cells[c];
      const bool number = kind_of_cell(cell) == CellKind::number;
      if (is_decimal(cell))
        note_comma(cell, columns[c]);
      else if (cell.find(',') != std::string::npos)
        columns[c].other_commas = true;
      else if (cell.find('.') != std::string::npos && number)
        (is_grouped(cell, '.') ? all.grouping_points : all.plain_points) = true;
      else if (number)
        (cell.size() < 4 ? columns[c].small : columns[c].large) = true;
    }
  }
  std::erase_if(columns, [](const Marks& each) { return each.other_commas || each.example.empty(); });
  all.commas = std::ranges::any_of(columns, [](const Marks& each) { return each.commas; });
  all.leading_zero = std::ranges::any_of(columns, [](const Marks& each) { return each.leading_zero; });
  const bool points = all.plain_points || (all.grouping_points && !all.commas);
  const bool semicolons = sample.dialect.separator == ';';
  if (points || !(all.commas || semicolons)) return {};
  if (columns.empty() || (all.leading_zero && semicolons)) return {true, ""};
  if (const auto pairs = std::ranges::find_if(columns, are_pairs); pairs != columns.end())
    return {false, pairs->example + " may be two numbers: decimals would be equally many, or would not end with zeros"};
  // Between semicolons the decimals of one column speak for all.
  if (!(all.commas && semicolons))
    if (const auto thousands = std::ranges::find_if(columns, are_thousands); thousands != columns.end())
      return {false, thousands->example + " may be thousands"};
  if (all.leading_zero) return {true, ""};
  if (!all.commas) return {true, columns.front().example + " may be thousands"};
  return {true, semicolons ? "" : columns.front().example + " may be two numbers"};
}

}  // namespace kinescope::sim
