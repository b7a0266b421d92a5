// Arrays of a program as data: numbers of any type and layout, which are copied. An array of float32 that lies row by
// row need not be: Values::borrow.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"

namespace kinescope::sim {

// A matrix in memory: the number of row i in column c is `first[i · row_stride + c · column_stride]`. Strides count
// numbers, not bytes, and may be negative.
template <class Number>
struct ArrayView {
  const Number* first = nullptr;
  std::size_t rows = 0, columns = 0;
  std::ptrdiff_t row_stride = 0, column_stride = 1;
};

// The rows as points, with all columns, named c0, c1, …, and no label. NaN is a missing value: its row is left out, and
// Dataset::rows_left_out counts rows from 1. Columns far from zero keep their digits (DenseRows::origin, rest), so they
// are read as a file of the same numbers is. Throws Error (input) if nothing is left, a number is infinite, or a whole
// number is beyond 2^53. O(rows · columns) time; memory of 4 or 8 bytes a number.
template <class Number>
std::shared_ptr<Dataset> dataset_of(std::string name, const ArrayView<Number>& array) {
  static_assert(std::is_arithmetic_v<Number>);
  Table table;
  table.source = std::move(name);
  table.rows = array.rows;
  DataRequest request;
  request.label = no_label;
  request.keep_columns = false;
  for (std::size_t c = 0; c < array.columns; ++c) {
    std::vector<double> numbers(array.rows);
    const Number* at = array.first + static_cast<std::ptrdiff_t>(c) * array.column_stride;
    for (std::size_t i = 0; i < array.rows; ++i) {
      const Number number = at[static_cast<std::ptrdiff_t>(i) * array.row_stride];
      numbers[i] = static_cast<double>(number);
      constexpr std::int64_t most = std::int64_t{1} << 53;
      if constexpr (std::is_integral_v<Number> && sizeof(Number) == 8)
        if (std::cmp_greater(number, most) || std::cmp_less(number, -most))
          throw input_error(table.source + ": row " + std::to_string(i + 1) + " of column " + std::to_string(c) +
                            " is beyond 2^53");
    }
    request.columns.push_back("c" + std::to_string(c));
    table.columns.push_back({request.columns.back(), false, Numbers(std::move(numbers)), {}});
  }
  return std::make_shared<Dataset>(make_dataset(std::move(table), request));
}

}  // namespace kinescope::sim
