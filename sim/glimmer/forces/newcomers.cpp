#include "sim/glimmer/forces/newcomers.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace kinescope::sim::glimmer {

SortedSample sort_sample(const Rows& rows, std::int64_t size) {
  SortedSample sample;
  sample.size = static_cast<std::int32_t>(size);
  sample.pivots = std::min(sample_pivots, sample.size);
  std::vector<float> away(static_cast<std::size_t>(size));
  std::vector<std::int32_t> order(away.size());
  for (std::int32_t pivot = 0; pivot < sample.pivots; ++pivot) {
    for (std::int32_t i = 0; i < sample.size; ++i) {
      const float delta = rows.distance(i, pivot);
      away[static_cast<std::size_t>(i)] = delta == delta ? delta : std::numeric_limits<float>::infinity();
    }
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](std::int32_t i) { return away[static_cast<std::size_t>(i)]; });
    for (const std::int32_t i : order) {
      sample.distance.push_back(away[static_cast<std::size_t>(i)]);
      sample.point.push_back(i);
    }
  }
  return sample;
}

}  // namespace kinescope::sim::glimmer
