// Whether the numbers in record one of a table name its columns.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "sim/data/readers/csv/csv_header.hpp"

namespace kinescope::sim {

// Whether a sequence of at least two doubles counts up by one.
template <class Sequence>
bool count_up(const Sequence& numbers) {
  return numbers.size() >= 2 && std::adjacent_find(numbers.begin(), numbers.end(),
                                                   [](double a, double b) { return b != a + 1; }) == numbers.end();
}

// The numbers of record one, and the columns in which they stand.
struct HeaderNumbers {
  std::vector<double> values;
  std::vector<std::size_t> columns;
};

// Whether they are
//   - years, 1500 … 2100, that ascend or descend, beside names that no row has; or consecutive years;
//   - the numbers of the columns, from 0 or 1, three at least, beside one name or an empty cell;
//   - a scale above smaller values, such as wavelengths.
// Of the rows below, nine in ten must hold no years, or more than half if the years have equal steps or stand beside a
// usual name of a column, "Country". A single year needs such a name, or fractions below it. If there is a doubt, the
// reason of a guess that is none says so; else it is empty. The columns hold the other records, of which there is one
// at least. O(a million cells).
HeaderGuess guess_by_numbers(const std::vector<std::string>& first, const HeaderNumbers& numbers,
                             const std::vector<CsvColumn>& columns, std::size_t rows, bool decimal_comma);

}  // namespace kinescope::sim
