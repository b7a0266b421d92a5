// A cell of a text file: a number, a missing value, or text.
#pragma once

#include <cstdint>
#include <optional>
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
// The whole number that digits alone make; nullopt for other texts, and from 2^64 on.
std::optional<std::uint64_t> parse_whole(std::string_view digits);

// True for a whole number of 2^53 or more that double does not hold: its digits are kept as a text.
bool loses_digits(std::string_view cell, double value);

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
