// How many elements a launch covers: a number that the host knows, or one in the executor's memory that the launch
// itself reads, so that the host need not wait for it.
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
// shape of a grid. Each block of 256 elements is added in a tree (element i takes i + 128, then i + 64, ... i + 1;
// elements past the end are the identity). The blocks' totals go into 256 running sums (sum i takes totals i, i + 256,
// i + 512, ...), and these are added in the same tree.
inline constexpr int reduction_block = 256;

}  // namespace kinescope::sim
