// Finds where a key belongs among ascending keys, on the CPU and on CUDA. std::lower_bound compiles for a device too,
// with --expt-relaxed-constexpr, but returned wrong positions on an H200 (CUDA 13.0; tests/cuda).
#pragma once

#include <cstdint>

#include "kinescope/executors/host_device.hpp"

namespace kinescope::sim {

// The index of the first of `count` ascending keys that is not below `key`; `count` if all are. O(log count).
template <class Key>
KINESCOPE_HD std::int64_t first_not_below(const Key* keys, std::int64_t count, std::int64_t key) {
  std::int64_t low = 0, high = count;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (static_cast<std::int64_t>(keys[middle]) < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

}  // namespace kinescope::sim
