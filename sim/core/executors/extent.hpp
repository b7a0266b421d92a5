// How many elements a launch covers: a number that the host knows, or one that lies in the executor's memory and is
// read by the launch itself, so that the host need not wait to learn it.
#pragma once

#include <cstdint>

namespace kinescope::sim {

struct Extent {
  std::int64_t maximum = 0;              // never more than this
  const std::int64_t* actual = nullptr;  // in the executor's memory; null: exactly `maximum`

  Extent(std::int64_t count) : maximum(count) {}  // NOLINT: a plain number is an extent
  Extent(std::int64_t at_most, const std::int64_t* count) : maximum(at_most), actual(count) {}
};

// Reductions add in one fixed order on both backends, so that a sum depends neither on the number of threads nor on the
// shape of a grid: each block of 256 elements in a tree (element i takes i + 128, then i + 64, ... i + 1; past the end
// stands the identity), then the blocks' totals in 256 running sums (sum i takes totals i, i + 256, i + 512, ...), then
// these in the tree.
inline constexpr int reduction_block = 256;

}  // namespace kinescope::sim
