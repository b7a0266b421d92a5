#include "sim/data/readers/number.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>

#include "sim/data/readers/decimal.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

// For a decimal text outside double's range: infinity, or a number that rounds to 0. from_chars reports both in the
// same way.
double beyond_double(std::string_view digits) {
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  return strtod_l(std::string(digits).c_str(), nullptr, plain);
}

constexpr std::array<std::string_view, 7> spreadsheet_errors = {"#N/A",  "#DIV/0!", "#NAME?", "#NULL!",
                                                                "#NUM!", "#REF!",   "#VALUE!"};

constexpr std::array<std::string_view, 7> missing_markers = {"NA", "?", "N/A", "n/a", "NULL", "null", "\\N"};
constexpr std::array<std::string_view, 3> nan_words = {"nan", "NaN", "NAN"};  // "Nan" is a name

CellKind parse_word(std::string_view cell, std::string_view unsigned_part, double& value) {
  constexpr std::string_view beginnings = "N?n\\#iI+-";  // of all words that are no text
  if (std::ranges::find(beginnings, cell.front()) == beginnings.end()) return CellKind::text;
  if (std::ranges::find(missing_markers, cell) != missing_markers.end()) return CellKind::missing;
  if (std::ranges::find(spreadsheet_errors, cell) != spreadsheet_errors.end()) return CellKind::missing;
  if (std::ranges::find(nan_words, unsigned_part) != nan_words.end()) return CellKind::missing;
  if (!equals_ignoring_case(unsigned_part, "inf") && !equals_ignoring_case(unsigned_part, "infinity"))
    return CellKind::text;
  value = cell.front() == '-' ? -INFINITY : INFINITY;
  return CellKind::number;
}

}  // namespace

bool begins_comment(std::string_view line, char separator) {
  constexpr std::size_t most_blanks = 16;
  if (!line.starts_with('#')) return false;
  for (const std::string_view error : spreadsheet_errors) {
    if (!line.starts_with(error)) continue;
    const std::string_view rest = line.substr(error.size(), most_blanks);
    const std::size_t end = rest.starts_with(separator) ? 0 : rest.find_first_not_of(' ');
    if (end == std::string_view::npos || rest[end] == separator || rest[end] == '\r' || rest[end] == '\n') return false;
  }
  return true;
}

bool is_grouped(std::string_view cell, char separator) {
  if (!cell.empty() && (cell.front() == '-' || cell.front() == '+')) cell.remove_prefix(1);
  if (cell.starts_with('0')) return false;
  const std::string_view marks = separator == ',' ? "." : separator == '.' ? "," : ".,";  // of a fraction
  const std::string_view whole = cell.substr(0, cell.find_first_of(marks));
  std::size_t digits = 0, groups = 0;
  for (const char c : whole) {
    if (c == separator && (groups == 0 ? digits >= 1 && digits <= 3 : digits == 3))
      ++groups, digits = 0;
    else if (is_digit(c))
      ++digits;
    else
      return false;
  }
  if (groups == 0 || digits != 3) return false;
  const std::string_view fraction = cell.substr(whole.size());
  return fraction.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

bool is_decimal_comma(std::string_view cell) {
  double value = 0;
  return cell.find(',') != std::string_view::npos && parse_cell(cell, value, true) == CellKind::number;
}

CellKind parse_cell(std::string_view cell, double& value, bool decimal_comma) {
  if (cell.empty()) return CellKind::missing;
  if (decimal_comma && is_grouped(cell, '.')) return CellKind::text;  // with decimal commas "1.000" is a thousand
  if (const std::size_t comma = decimal_comma ? cell.find(',') : std::string_view::npos;
      comma != std::string_view::npos) {
    char point[64];
    if (cell.size() > sizeof point || cell.find('.') != std::string_view::npos) return CellKind::text;
    std::copy(cell.begin(), cell.end(), point);
    point[comma] = '.';
    return parse_cell({point, cell.size()}, value);
  }
  if (double number = 0; parse_decimal(cell.data(), cell.data() + cell.size(), number) == cell.data() + cell.size()) {
    value = number;
    return CellKind::number;
  }
  const bool sign = cell.front() == '-' || cell.front() == '+';
  const std::string_view digits = cell.substr(sign ? 1 : 0);
  if (digits.empty() || !(is_digit(digits.front()) || digits.front() == '.')) return parse_word(cell, digits, value);
  const char* end = digits.data() + digits.size();
  double magnitude = 0;
  const auto [stop, error] = std::from_chars(digits.data(), end, magnitude);
  if (stop != end || error == std::errc::invalid_argument) return CellKind::text;
  if (error == std::errc::result_out_of_range) magnitude = beyond_double(digits) > 1 ? INFINITY : 0;
  value = cell.front() == '-' ? -magnitude : magnitude;
  return CellKind::number;
}

std::optional<std::uint64_t> parse_whole(std::string_view digits) {
  std::uint64_t number = 0;
  const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (digits.empty() || error != std::errc() || stop != digits.data() + digits.size()) return std::nullopt;
  return number;
}

bool loses_digits(std::string_view cell, double value) {
  constexpr double rounded = 9007199254740992;  // 2^53: double holds all whole numbers below it
  if (!(std::abs(value) >= rounded)) return false;
  const bool sign = cell.front() == '-' || cell.front() == '+';
  if (cell.find_first_not_of("0123456789", sign) != std::string_view::npos) return false;
  char digits[512];
  const auto [stop, error] = std::to_chars(digits, digits + sizeof digits, std::abs(value), std::chars_format::fixed);
  return error != std::errc() || cell.substr(sign) != std::string_view(digits, static_cast<std::size_t>(stop - digits));
}

CellKind kind_of_cell(std::string_view cell, bool decimal_comma) {
  double value = 0;
  return parse_cell(cell, value, decimal_comma);
}

}  // namespace kinescope::sim
