// How far centroids move from pass to pass, for the bounds of kept_labels_cpu.hpp.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "sim/k_means/products_cpu.hpp"

namespace kinescope::sim::k_means {

// How far the centroids have moved since the last pass, and which are compared first. Distances are rounded up.
class Movements {
 public:
  void measure(const float* from, const float* to, int K, int d) {
    moved_.resize(static_cast<std::size_t>(K));
    for (int k = 0; k < K; ++k) {
      double square = 0;
      for (int c = 0; c < d; ++c) {
        const std::int64_t at = static_cast<std::int64_t>(k) * d + c;
        const double step = static_cast<double>(to[at]) - from[at];
        square += step * step;
      }
      moved_[static_cast<std::size_t>(k)] = static_cast<float>(std::sqrt(square)) * (1 + 0x1p-21f);
    }
    order_.resize(moved_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [this](int a, int b) { return of(a) > of(b); });
    far_.clear();
    rest_ = 0;
  }

  float of(std::int32_t k) const { return moved_[static_cast<std::size_t>(k)]; }
  // The largest movement of a centroid other than k.
  float of_others(std::int32_t k) const {
    return order_.size() < 2 ? 0 : of(order_.front() == k ? order_[1] : order_.front());
  }
  const std::vector<std::int32_t>& far() const { return far_; }
  float rest() const { return rest_; }  // the largest movement of a centroid that is not one of these

  // Chooses how many centroids are compared first, so that the least work is left for points whose bounds allow for
  // these movements. Results do not depend on it.
  void choose(std::vector<float>& allowed) {
    std::sort(allowed.begin(), allowed.end());
    const auto failing = [&](float movement) {
      return static_cast<double>(std::lower_bound(allowed.begin(), allowed.end(), movement) - allowed.begin()) + 1;
    };
    constexpr double packing = 16;  // is worth as much work as so many centroids
    const double K = static_cast<double>(order_.size()) + packing, active = failing(of(order_.front()));
    double least = 0.9 * active * K;
    std::size_t best = 0;
    for (std::size_t some = triple; 2 * some <= order_.size(); some += std::max<std::size_t>(1, some / 6) * triple) {
      const double work = active * (static_cast<double>(some) + packing) + failing(of(order_[some])) * K;
      if (work < least) least = work, best = some;
    }
    far_.assign(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(best));
    rest_ = best > 0 ? of(order_[best]) : 0;
  }

 private:
  std::vector<float> moved_;         // [K]
  std::vector<std::int32_t> order_;  // [K] by movement, the largest first
  std::vector<std::int32_t> far_;
  float rest_ = 0;
};

}  // namespace kinescope::sim::k_means
