// What columns of numbers tell while they are read row by row: as number_facts.hpp finds it, but of all columns in one
// pass, while the rows are still in the cache.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "sim/data/number_facts.hpp"

namespace kinescope::sim {

template <class Number>
class RowFacts {
 public:
  // The first row of that many columns, at least 8: variances are summed about it.
  RowFacts(const Number* first_row, std::size_t columns);

  // Looks at the next rows, [count × columns], the first row among them. O(count · columns), on all threads.
  void look_at(const Number* rows, std::size_t count);

  // Whether nothing was missing or infinite, and no sum beyond double. Only then the others below hold.
  bool complete() const;
  // Of a column, which `numbers` are, with its sum and variance.
  NumberFacts of(std::size_t column, const Numbers& numbers) const;
  // Whether float32 holds all numbers of the column exactly.
  bool fit_float(std::size_t column) const { return unfit_[place_of(column)] == 0; }

 private:
  using Flag = std::conditional_t<sizeof(Number) == 4, std::int32_t, std::int64_t>;
  static constexpr std::size_t width = 32 / sizeof(Number);  // columns of a vector

  // The columns of a vector begin here: the last vector has some of the one before it too, if there are too few.
  std::size_t first_column(std::size_t vector) const { return std::min(vector * width, columns_ - width); }
  // Where the vectors below have what they hold of a column.
  std::size_t place_of(std::size_t column) const {
    const std::size_t vector = column / width;
    return vector * width + (column - first_column(vector));
  }
  void look_at(const Number* rows, std::size_t count, std::size_t vector);

  std::size_t columns_, vectors_;
  std::vector<Number> low_, high_;
  std::vector<double> origin_, sum_, above_, squares_;  // above_, squares_: of the numbers minus their origin
  std::vector<Flag> broken_, unfit_;                    // not 0: some are not whole, or do not fit into float32
  std::size_t rows_ = 0;
};

}  // namespace kinescope::sim
