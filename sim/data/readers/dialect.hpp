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
// ("1,5;2,5"); else the one of ',' '\t' ';' that makes more fields; else blanks between numbers. Lines above
// the first that one of them divides are titles and do not count. A `known` separator leaves open only how numbers are
// written.
Dialect sniff_dialect(std::string_view head, char known = '\0');

// The separator that a first line "sep=;" names; '\0' if there is no such line.
char named_separator(std::string_view head);

}  // namespace kinescope::sim
