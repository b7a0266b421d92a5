// Whether commas in the numbers of a table of text are decimal: "1,5".
#pragma once

#include <cstddef>
#include <string>

#include "sim/data/readers/csv/dialect.hpp"

namespace kinescope::sim {

struct DecimalCommas {
  bool are = false;
  std::string doubt;  // a sentence without a full stop; "" if there is none
};

// Commas are decimal if those of a column are all in numbers, and no number has a decimal point; with semicolons also
// if there are none. Between commas they are in quotes.
DecimalCommas decimal_commas(const CsvSample& sample);

// Whether a cell is a number with a decimal comma, and decimals.
bool is_decimal(const std::string& cell);

// The first of the records below the first, which may be a header, and below a second, which may hold units, if there
// are enough.
std::size_t first_row(const CsvSample& sample);

}  // namespace kinescope::sim
