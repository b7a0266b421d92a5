// Sparse rows from entries in any order.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/sparse_rows.hpp"

namespace kinescope::sim {

// `each_entry(f)` calls f(row, column, Value) for all entries, the same each time. Values in the same place are added
// up in their order, and those that make 0 are dropped; `beyond(row, column)` makes the error for a sum that is not
// finite. Throws Cancelled. O(entries · log(entries of a row)).
template <class Value, class EachEntry, class Beyond>
std::shared_ptr<SparseRows> rows_of_entries(std::uint64_t rows, std::uint64_t columns, const EachEntry& each_entry,
                                            const Beyond& beyond, const LoadProgress* progress) {
  std::vector<std::uint64_t> next(rows + 1, 0);  // where the next entry of a row goes
  each_entry([&](std::uint64_t row, std::uint64_t, Value) { ++next[row + 1]; });
  for (std::size_t row = 0; row < rows; ++row) next[row + 1] += next[row];
  auto made = std::make_shared<SparseRows>();
  made->columns = columns;
  made->index.resize(next.back());
  made->value.resize(next.back());
  std::vector<Value> values(next.back());
  each_entry([&](std::uint64_t row, std::uint64_t column, Value value) {
    made->index[next[row]] = static_cast<std::uint32_t>(column);
    values[next[row]++] = value;
  });  // now next[row] is the end of the row
  made->begin.reserve(rows + 1);
  std::vector<std::pair<std::uint32_t, Value>> sorted;
  std::size_t kept = 0;
  for (std::size_t row = 0, from = 0; row < rows; from = next[row], ++row) {
    if (progress && progress->cancelled) throw Cancelled{};
    sorted.clear();
    for (std::size_t i = from; i < next[row]; ++i) sorted.emplace_back(made->index[i], values[i]);
    std::ranges::stable_sort(sorted, {}, [](const auto& each) { return each.first; });
    for (std::size_t i = 0; i < sorted.size();) {
      const std::uint32_t column = sorted[i].first;
      double sum = 0;
      for (; i < sorted.size() && sorted[i].first == column; ++i) sum += sorted[i].second;
      const auto value = static_cast<float>(sum);
      if (!std::isfinite(value)) throw beyond(row, column);
      if (value == 0) continue;
      made->index[kept] = column;
      made->value[kept++] = value;
    }
    made->begin.push_back(kept);
  }
  made->index.resize(kept);
  made->value.resize(kept);
  return made;
}

}  // namespace kinescope::sim
