// A cell of a text file: a number, a missing value, or text.
#pragma once

#include <string_view>

namespace kinescope::sim {

enum class CellKind {
  missing,  // empty, "NA", "?", "nan" in any case
  number,   // finite in float32; smaller magnitudes than float32 has become 0
  beyond,   // an infinity, or a number whose magnitude rounds to more than float32 holds
  text
};

// `value` is set for a number. The decimal point is '.', whatever the locale; hexadecimal is text. No white space
// around.
CellKind parse_cell(std::string_view cell, float& value);

}  // namespace kinescope::sim
