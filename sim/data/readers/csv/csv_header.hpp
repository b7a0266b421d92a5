// Whether the first record of a table names its columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/table.hpp"
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
  // The only texts are dashes in the place of missing numbers.
  bool has_gaps_alone() const { return holds_numbers() && is_missing_dash(texts.first) && !texts.differ; }
};

struct HeaderGuess {
  bool header = false;
  std::string reason;  // why it is one, or none
};

// Whether record one, `first`, is a header, as csv.hpp defines. The columns hold the other records.
HeaderGuess guess_header(const std::vector<std::string>& first, const std::vector<CsvColumn>& columns, std::size_t rows,
                         bool decimal_comma);

// Whether record one is a header that is shorter than records two and three. One cell shorter, it lacks the name of
// the first column (in R's tables, whose rows begin with their names). Or the rows have further, empty cells at their
// ends; or the header alone ends with a separator.
enum class ShortHeader { no, of_row_names, of_an_empty_end, with_an_empty_end };
ShortHeader short_header(const std::vector<std::string>& first, CsvRecords following, bool decimal_comma);

}  // namespace kinescope::sim
