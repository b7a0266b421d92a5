// How a table of text is to be read, as far as people say so. Other files use only the names of columns.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kinescope::sim {

enum class Header { automatic, yes, no };
enum class Quotes {
  automatic,  // a double quote that opens a cell encloses it, unless the file shows that quotes are data
  none        // quotes are characters like any other
};

enum class DecimalMark {
  automatic,  // commas if they are in numbers, and nothing speaks against it
  point,
  comma  // or a point
};

struct TableFormat {
  Header header =
      Header::automatic;      // whether the first row names the columns (csv_header.hpp says how automatic decides)
  std::size_t skip_rows = 0;  // lines skipped at the file's beginning
  std::vector<std::size_t> skip_lines;  // further lines skipped, from 1, ascending
  char separator = '\0';                // '\0': guess; ' ' is any run of blanks
  Quotes quotes = Quotes::automatic;
  DecimalMark decimal = DecimalMark::automatic;
  // Columns, by their names: read as texts; read as numbers (separators of thousands, currency, percent and units are
  // stripped, and what is still no number is missing); left out as if they were not in the file.
  std::vector<std::string> texts, numbers, drop;
  bool operator==(const TableFormat&) const = default;
};

}  // namespace kinescope::sim
