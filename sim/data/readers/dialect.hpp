// What separates the cells of a table that is text, and how its numbers are written.
#pragma once

#include <string_view>

namespace kinescope::sim {

// How the cells of a table are separated and its numbers written.
struct Dialect {
  char separator = ',';        // ',' '\t' ';', or ' ' for any run of blanks
  bool decimal_comma = false;  // "1,5" is a number
};

// The separator that divides the first lines equally: ';', tabs or blanks if only then commas stand in numbers alone
// ("1,5;2,5"); else the one of ',' '\t' ';' that makes more fields; else blanks between numbers. With tabs they are the
// separator.
Dialect sniff_dialect(std::string_view head, bool tabs = false);

}  // namespace kinescope::sim
