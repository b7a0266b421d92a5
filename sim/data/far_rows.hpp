// Rows that hide all others: a few so far off that the rest of the table shrinks to a dot beside them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/core/table.hpp"

namespace kinescope::sim {

struct ScaledColumn {
  const Column* column = nullptr;  // of numbers
  double low = 0, high = 0;        // its range
  double scale = 1;                // the factor by which its numbers are multiplied
};

// The far rows of the table, ascending: at most one in a hundred of `rows`, but at least one is allowed; none if there
// are fewer than 20 rows. Each is at least ten times as far from the columns' medians as every other row, and the
// farthest at least a hundred times. There are none if all others are in one place. `categories` is the number of
// further columns, those of categories; each adds 1 to the squared distance of every row. O(columns) if no column's
// range reaches far enough, else O(rows × columns).
std::vector<std::size_t> far_rows(std::span<const ScaledColumn> columns, std::size_t categories,
                                  const std::vector<std::size_t>& rows);

// A sentence without a full stop that names the lines of the `far` rows, and says how many of `rows` they are; "" if
// there are none.
std::string far_rows_sentence(const Table& table, std::size_t rows, const std::vector<std::size_t>& far);

}  // namespace kinescope::sim
