// Whether the first record of a table names its columns.
//
// Record one is a header, unless TableFormat says otherwise, if
//   - it is a comment with as many cells as the rows, above rows without a header (first_lines.hpp), or
//   - a cell of it is text above a column that otherwise holds numbers or dates; a number with separators, a currency,
//     a percent sign or its column's unit is no text here, or
//   - it is one cell shorter than the records below it, which begin with their names or end with a separator, or one
//     cell longer, because it alone ends with one, or
//   - its numbers are years, the numbers of the columns, or a scale (header_numbers.hpp), or
//   - its first cell is empty above numbers that count the rows, as R names rows, and the others are text, or
//   - it holds no number or date, however written, that stands above others, and
//       - all its cells are text and not all columns are (columns without any cell do not count; numbers among codes
//         are texts if the cell above is such a code), or
//       - a number of it stands above a column of texts alone, and none above a column of numbers, or
//       - a cell of it is a text that never recurs, in a column of texts most of which do (10,000 rows are looked at),
//         or
//   - TableFormat names a column that it names.
// Otherwise it is data, and the columns are c0, c1, …
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "kinescope/table.hpp"
#include "sim/data/readers/csv/csv_block.hpp"
#include "sim/data/readers/number.hpp"

namespace kinescope::sim {

// A column while it grows, block by block.
struct CsvColumn {
  Column column;
  std::size_t values = 0;  // numbers and texts
  CsvTexts texts;
  bool dates = false;  // its texts are dates (dates.hpp)
  std::string told;    // how its numbers were read from texts, if that was asked for

  std::size_t numbers() const { return values - texts.count; }
  bool holds_numbers() const { return numbers() > 0; }
  bool holds_texts() const { return texts.count > 0; }
};

// The first of a column's values: as many as are looked at. (clang 14 does not compile std::ranges::subrange.)
template <class Values>
auto first_of(const Values& values) {
  constexpr std::size_t most = 10'000;
  struct First {
    typename Values::const_iterator first, last;
    auto begin() const { return first; }
    auto end() const { return last; }
  };
  return First{values.begin(), values.begin() + std::ptrdiff_t(std::min(values.size(), most))};
}

struct HeaderGuess {
  bool header = false;
  std::string reason;  // why it is one, or none
};

// Whether record one, `first`, is a header, as defined above. The columns hold the other records.
HeaderGuess guess_header(const std::vector<std::string>& first, const std::vector<CsvColumn>& columns, std::size_t rows,
                         bool decimal_comma);

// Whether record one is a header that is shorter than records two and three. One cell shorter, it lacks the name of
// the first column (in R's tables, whose rows begin with their names). Or the rows have further, empty cells at their
// ends; or the header alone ends with a separator.
enum class ShortHeader { no, of_row_names, of_an_empty_end, with_an_empty_end };
ShortHeader short_header(const std::vector<std::string>& first, CsvRecords following, bool decimal_comma);

}  // namespace kinescope::sim
