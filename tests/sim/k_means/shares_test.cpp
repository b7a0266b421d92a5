#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "sim/k_means/sweep/shares_cpu.hpp"

namespace kinescope::sim::k_means {
namespace {

// Some points and a mixture near them, with every way in which a Gaussian can be negligible.
struct Mixture {
  Mixture(int count, int d, int K, unsigned seed, double apart, float middle) : count(count) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    const int panels = (count + panel - 1) / panel;
    x.assign(static_cast<std::size_t>(panels) * panel * d, NAN);  // what is past the last point must not count
    gaussians.resize(static_cast<std::size_t>(3 * d + 2) * K);
    run.points.dimensions = run.sample.dimensions = d;
    run.points.total = run.points.count = run.sample.count = run.sample.total = count;
    run.sample.x = x.data();
    run.clusters = run.last_clusters = K;
    run.gaussians = gaussians.data();
    const Gaussians parts(run);
    for (int k = 0; k < K; ++k) {
      parts.weight[k] = k == 2 ? 0 : 1.0 / K;  // one was merged into another
      for (int c = 0; c < d; ++c) {
        parts.mean[c * K + k] = middle + apart * normal(random);
        parts.variance[c * K + k] = std::exp(normal(random));
      }
      complete(parts, K, k, d);
    }
    double largest = 0;
    for (int i = 0; i < count; ++i) {
      double square = 0;
      for (int c = 0; c < d; ++c) {
        const double value = normal(random) + apart * normal(random);
        x[static_cast<std::size_t>(i / panel * panel * d + i % panel + c * panel)] = static_cast<float>(middle + value);
        square += (std::abs(value) + 20 * apart + 20) * (std::abs(value) + 20 * apart + 20);
      }
      largest = std::max(largest, square);
    }
    run.inertia_limit = largest * count;
  }

  std::vector<std::int64_t> plain() const {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(share_count(run)));
    const ShareScale scale(run);
    for (int i = 0; i < count; ++i)
      share_point(run, scale, i,
                  [&](std::int64_t e, std::int64_t value) { sums[static_cast<std::size_t>(e)] += value; });
    return sums;
  }
  std::vector<std::int64_t> in_lanes() const {
    std::vector<std::int64_t> sums(static_cast<std::size_t>(share_count(run)));
    ShareLanes lanes(run);
    for (int i = 0; i < count; i += ShareLanes::width)
      lanes.add(i, std::min(ShareLanes::width, count - i), sums.data());
    return sums;
  }

  int count;
  std::vector<float> x;
  std::vector<double> gaussians;
  RunView run;
};

TEST(ShareLanes, AddWhatEachPointAdds) {
  unsigned seed = 0;
  for (const int count : {1, 7, 8, 129, 1000})
    for (const int d : {1, 2, 7, 8, 17, 130})
      for (const int K : {1, 2, 3, 4, 5, 33})
        for (const double apart : {0.0, 3.0, 50.0}) {
          const Mixture mixture(count, d, K, ++seed, apart, seed % 3 == 0 ? 1e5f : 0.0f);
          const auto expected = mixture.plain();
          ASSERT_EQ(mixture.in_lanes(), expected) << count << " × " << d << ", K = " << K << ", " << apart;
          ASSERT_NE(expected, std::vector<std::int64_t>(expected.size()));
        }
}

}  // namespace
}  // namespace kinescope::sim::k_means
