// What one pass over a column of numbers tells: gaps, infinities, range, whole numbers, constancy.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "kinescope/numbers.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

struct NumberFacts {
  static constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

  std::size_t missing = 0;
  std::size_t first_infinite = none;  // the row of the first infinity
  double low = NAN, high = NAN;       // NaN if all are missing
  bool whole = true;                  // all numbers are whole, or infinite
  // Of a column whose reader has summed it on the way (row_facts.hpp), else NaN: the sum in the order of the rows, and
  // what variances_of finds for all rows.
  double sum = NAN, variance = NAN;

  bool same() const { return low == high; }  // there are numbers, and all are equal
};

// O(size); vectorized.
NumberFacts facts_of(const Numbers& numbers);
// Of each column of the table, nothing of columns of texts; on all threads.
std::vector<NumberFacts> facts_of(const Table& table);

// Of the zeros in `numbers`, which are all equal, the first is the least, and the greatest: sets their signs in facts
// of these numbers.
void choose_zeros(const Numbers& numbers, NumberFacts& facts);

// The first row from `row` on without a number; the size if there is none.
template <class Number>
std::size_t next_missing(std::span<const Number> numbers, std::size_t row);
template <class Number>
std::size_t next_missing(Strided<Number> numbers, std::size_t) {  // of columns of rows nothing is missing
  return numbers.size();
}

// The variance of each of several columns over these rows, which are ascending; all pairs' squared distances add up to
// N² times it. `missing`: of each column, how many of its numbers are, which are left out; 0 only if none is. A
// column's numbers are summed in the order of the rows, so that its sum does not depend on the columns beside it.
std::vector<double> variances_of(std::span<const Numbers* const> columns, std::span<const std::size_t> missing,
                                 std::span<const std::size_t> rows);

// From sums of numbers minus some origin, and of their squares.
double variance_of_sums(double sum, double squares, double count);

}  // namespace kinescope::sim
