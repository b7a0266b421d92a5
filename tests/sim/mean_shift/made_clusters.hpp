// Generated Gaussian clusters that are clearly apart, for testing the estimated bandwidth.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "kinescope/random.hpp"
#include "tests/sim/test_points.hpp"

namespace kinescope::sim::made_clusters {

// The least distance of two clusters, in sums of their standard deviations along the line between them.
inline constexpr double apart = 2.5;

struct Made {
  std::shared_ptr<Dataset> data;
  int clusters;
};

// 3 to 20 clusters in 1 to 4 columns, 300 to 100,000 points. The clusters' shares of the points differ by a factor of
// up to four, and their standard deviations along the axes are 0.5 to 1.5.
inline Made make(int number, std::uint64_t seed) {
  const Random random(seed, 77);
  std::uint64_t drawn = std::uint64_t(number) << 32;
  const auto uniform = [&](double low, double high) { return low + (high - low) * double(random.uniform(drawn++)); };
  const int k = 1 + number % 4, clusters = 3 + int(18 * uniform(0, 1));
  const double most = k < 4 ? 100'000 : 10'000;  // runs in four columns compute all pairs
  const auto n = static_cast<std::size_t>(300 * std::pow(most / 300, uniform(0, 1)));
  struct Cluster {
    double centre[4], deviation[4], share;
  };
  std::vector<Cluster> all;
  double side = 4 * apart * std::pow(clusters, 1.0 / k), total = 0;
  for (int refused = 0; int(all.size()) < clusters;) {
    Cluster c{};
    for (int a = 0; a < k; ++a) c.centre[a] = uniform(0, side), c.deviation[a] = uniform(0.5, 1.5);
    c.share = uniform(1, 4);
    bool free = true;
    for (const Cluster& other : all) {
      double distance = 0, mine = 0, its = 0;
      for (int a = 0; a < k; ++a) distance += std::pow(c.centre[a] - other.centre[a], 2);
      for (int a = 0; a < k; ++a) {
        const double part = std::pow(c.centre[a] - other.centre[a], 2) / distance;
        mine += part * c.deviation[a] * c.deviation[a], its += part * other.deviation[a] * other.deviation[a];
      }
      free = free && std::sqrt(distance) >= apart * (std::sqrt(mine) + std::sqrt(its));
    }
    if (free)
      all.push_back(c), total += c.share;
    else if (++refused % 200 == 0)
      side *= 1.1;
  }
  std::vector<float> values;
  for (std::size_t i = 0; i < n; ++i) {
    double at = uniform(0, total);
    std::size_t c = 0;
    while (c + 1 < all.size() && at >= all[c].share) at -= all[c++].share;
    for (int a = 0; a < k; ++a)
      values.push_back(float(all[c].centre[a] + all[c].deviation[a] * random.normal(drawn + i, std::uint32_t(a))));
  }
  return {test_points::dataset(std::size_t(k), std::move(values)), clusters};
}

}  // namespace kinescope::sim::made_clusters
