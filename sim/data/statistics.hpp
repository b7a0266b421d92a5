// Describes the values of a column: their range, and how they are distributed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "kinescope/table.hpp"
#include "sim/data/number_facts.hpp"

namespace kinescope::sim {

struct ColumnStatistics {
  static constexpr std::size_t most_bars = 16;
  // The smallest and the largest number; NaN if there is none.
  double low = std::numeric_limits<double>::quiet_NaN(), high = std::numeric_limits<double>::quiet_NaN();
  std::string low_text, high_text;  // as they were written, if the column has texts too, as dates have

  // All further members come from some thousand rows, evenly spread: enough for bars as high as a line of text.
  std::size_t looked_at = 0;  // rows with a value
  std::size_t values = 0;     // different values among them; for numbers, only a lower bound if more than 40
  bool all_rows = true;       // no row was skipped
  std::vector<std::uint32_t>
      bars;                        // numbers: rows in equal parts of the range; texts: rows of the most frequent values
  std::vector<std::string> names;  // of texts: the value of each bar
  bool hardly_repeats = false;     // nearly all of the values differ
};

// O(rows), and reads each number once.
ColumnStatistics statistics_of(const Column& column);
// With facts_of the column's numbers.
ColumnStatistics statistics_of(const Column& column, const NumberFacts& facts);

// How many different texts there are, without "". O(size), on all threads; in parts that stay in the cache.
std::size_t count_different(const std::vector<std::string>& texts);

}  // namespace kinescope::sim
