#include "kinescope/sparse_rows.hpp"

#include <numeric>

namespace kinescope::sim {

SparseRows transposed(const SparseRows& rows) {
  SparseRows columns;
  columns.columns = rows.rows();
  columns.begin.assign(rows.columns + 1, 0);
  for (const std::uint32_t column : rows.index) ++columns.begin[column + 1];
  std::partial_sum(columns.begin.begin(), columns.begin.end(), columns.begin.begin());
  columns.index.resize(rows.index.size());
  columns.value.resize(rows.value.size());
  std::vector<std::uint64_t> next(columns.begin.begin(), columns.begin.end() - 1);
  for (std::size_t row = 0; row < rows.rows(); ++row)
    for (std::uint64_t i = rows.begin[row]; i < rows.begin[row + 1]; ++i) {
      const std::uint64_t place = next[rows.index[i]]++;
      columns.index[place] = static_cast<std::uint32_t>(row);
      columns.value[place] = rows.value[i];
    }
  return columns;
}

}  // namespace kinescope::sim
