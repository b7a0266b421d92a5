// Guesses what separates the cells of a text table, and how its numbers are written.
#pragma once

#include <string_view>

namespace kinescope::sim {

// How the cells of a table are separated and its numbers written.
struct Dialect {
  char separator = ',';        // ',' '\t' ';', or ' ' for any run of blanks
  bool decimal_comma = false;  // "1,5" is a number
};

// Guesses the dialect from the first lines. ';', tabs or blanks separate the cells if they divide all lines into
// equally many and commas are then found only in numbers ("1,5;2,5"). Else it is the one of ',' '\t' ';' that occurs
// equally often in each line and makes the most fields; else blanks between numbers; else one of ',' '\t' ';' that the
// first line has. Lines above the first with one of these are titles and do not count. If the separator is `known`,
// only the way numbers are written is guessed.
Dialect sniff_dialect(std::string_view head, char known = '\0');

// The separator that a first line "sep=;" names; '\0' if there is no such line.
char named_separator(std::string_view head);

}  // namespace kinescope::sim
