// The groups that a clustering run has found: how many points each has, and where its centre is.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace kinescope::sim {

// Users see groups numbered by size, the largest as 0; a run may hold them in another order, which stays fixed.
template <class Size>
std::vector<std::size_t> by_size(const std::vector<Size>& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  return order;
}

// A fact in the snapshots of clustering runs.
struct Groups {
  std::size_t columns = 0;
  std::vector<std::size_t> sizes;  // [groups]
  std::vector<float> centres;      // [groups × columns], in the data's units
  std::vector<std::array<std::uint8_t, 3>>
      colours;  // [groups], r, g, b; empty if the points are not a picture's pixels
  // [groups × spread_columns × spread_columns], covariances of the first columns; empty if groups have none.
  std::size_t spread_columns = 0;
  std::vector<float> spreads;
};

}  // namespace kinescope::sim
