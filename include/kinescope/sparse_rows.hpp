// Rows of which most values are 0: only the others are kept (compressed sparse rows).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace kinescope::sim {

struct SparseRows {
  std::size_t columns = 0;
  std::vector<std::uint64_t> begin = {0};  // [rows + 1] where each row begins in `index` and `value`
  std::vector<std::uint32_t> index;        // the columns, ascending within a row
  std::vector<float> value;                // finite, none is 0
  std::vector<std::string> names;          // [columns], or none

  std::size_t rows() const { return begin.size() - 1; }
  std::size_t bytes() const {
    return begin.size() * sizeof(begin[0]) + index.size() * sizeof(index[0]) + value.size() * sizeof(value[0]);
  }
  std::span<const std::uint32_t> index_of(std::size_t row) const { return {index.data() + begin[row], size_of(row)}; }
  std::span<const float> value_of(std::size_t row) const { return {value.data() + begin[row], size_of(row)}; }
  std::size_t size_of(std::size_t row) const { return begin[row + 1] - begin[row]; }
};

// Rows become columns, without names. O(values + rows + columns).
SparseRows transposed(const SparseRows& rows);

}  // namespace kinescope::sim
