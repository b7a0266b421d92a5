// What a run that clusters has found: how many points each group has, and where its centre is.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

namespace kinescope::sim {

// People know groups by their size, the largest as 0; a run may hold them in another order, in which they keep their
// places.
template <class Size>
std::vector<std::size_t> by_size(const std::vector<Size>& sizes) {
  std::vector<std::size_t> order(sizes.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });
  return order;
}

struct Groups {
  std::size_t columns = 0;
  std::vector<std::size_t> sizes;  // [groups]
  std::vector<float> centres;      // [groups × columns], in the data's units
};

}  // namespace kinescope::sim
