// A cell of a text file: a number, a missing value, or text.
#pragma once

#include <string_view>

namespace kinescope::sim {

enum class CellKind {
  missing,  // empty, "NA", "?", "N/A", "n/a", "#N/A", "NULL", "null", "nan" in any case
  number,   // finite in float32; magnitudes below float32's range become 0
  beyond,   // an infinity, or a number whose magnitude exceeds float32
  text
};

// `value` is set for a number. The decimal point is '.' in every locale; with `decimal_comma` ',' works too.
// Hexadecimal numbers are text. The cell must have no surrounding white space.
CellKind parse_cell(std::string_view cell, float& value, bool decimal_comma = false);

// True for a number written with a comma: "1,5", or in groups of three: "1,000", "12,345.6".
bool is_decimal_comma(std::string_view cell);
bool is_grouped(std::string_view cell, char separator = ',');

}  // namespace kinescope::sim
