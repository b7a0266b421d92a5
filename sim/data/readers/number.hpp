// A cell of a text file: a number, a missing value, or text.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace kinescope::sim {

enum class CellKind {
  missing,  // empty, "NA", "?", "N/A", "n/a", "NULL", "null", "\N" (of databases), "nan", "NaN", "NAN", or an error of
            // a spreadsheet
  number,   // infinite for "inf", "infinity" in any case and for magnitudes beyond double; 0 for those below its range
  text
};

// `value` is set for a number. The decimal point is '.' in every locale; with `decimal_comma` ',' works too.
// Hexadecimal numbers are text. The cell must have no surrounding white space.
CellKind parse_cell(std::string_view cell, double& value, bool decimal_comma = false);
CellKind kind_of_cell(std::string_view cell, bool decimal_comma = false);

// Reads the number that begins at `at` if it is like "-12.5": at most 15 digits, without an exponent. Returns its end,
// or null if there is no such number. Most cells are such numbers; this takes a third of parse_cell's time.
inline const char* parse_short_decimal(const char* at, const char* end, double& value) {
  constexpr std::size_t most_digits = 15;  // such numbers, and the powers of ten, are exact in double
  static constexpr std::array<double, most_digits + 1> powers = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                                                 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const auto is_digit = [&] { return at < end && static_cast<unsigned char>(*at - '0') < 10; };
  const bool negative = at < end && *at == '-';
  at += negative;
  const char* const first = at;
  std::uint64_t digits = 0;
  for (; is_digit(); ++at) digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
  auto count = static_cast<std::size_t>(at - first);
  std::size_t fraction = 0;
  if (at < end && *at == '.') {
    const char* const point = ++at;
    for (; is_digit(); ++at) digits = 10 * digits + static_cast<std::uint64_t>(*at - '0');
    fraction = static_cast<std::size_t>(at - point);
    count += fraction;
  }
  if (count == 0 || count > most_digits) return nullptr;
  const double nearest = static_cast<double>(digits) / powers[fraction];  // the double nearest to the number
  value = negative ? -nearest : nearest;
  return at;
}

// A dash is a missing value in a column whose other cells are numbers or dates; elsewhere it is a text.
inline bool is_missing_dash(std::string_view cell) {
  return cell == "-" || cell == "--" || cell == "\u2013" || cell == "\u2014";
}
// All dashes count as the same text.
inline bool are_same_text(std::string_view a, std::string_view b) {
  return a == b || (is_missing_dash(a) && is_missing_dash(b));
}

// Whether the text from the '#' that begins its line is a comment, and not a row whose first cell is an error of a
// spreadsheet: "#N/A", "#DIV/0!" and the like, for a value that it could not compute.
bool begins_comment(std::string_view line, char separator);

// is_decimal_comma: true for a number with a decimal comma, "1,5". is_grouped: true for a number whose digits are in
// groups of three, "1,000", "12,345.6".
bool is_decimal_comma(std::string_view cell);
bool is_grouped(std::string_view cell, char separator = ',');

}  // namespace kinescope::sim
