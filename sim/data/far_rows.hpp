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
  double scale = 1;                // by which its numbers are multiplied
};

// The rows of the table, ascending, at most one in a hundred of `rows` (of 20 or more), whose distance from the
// columns' medians is at least ten times that of every other row, the farthest at least a hundred times. None if all
// others are in one place. Further columns, of categories, are `categories`; each counts 1 for all rows. O(columns)
// where none reaches far enough for that, else O(rows × columns).
std::vector<std::size_t> far_rows(std::span<const ScaledColumn> columns, std::size_t categories,
                                  const std::vector<std::size_t>& rows);

// A sentence without a full stop that names their lines, among so many `rows`; "" without any.
std::string far_rows_sentence(const Table& table, std::size_t rows, const std::vector<std::size_t>& far);

}  // namespace kinescope::sim
