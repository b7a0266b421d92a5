// The estimated bandwidth finds the clusters that lie apart.
#include <cstdio>
#include <gtest/gtest.h>

#include "tests/sim/mean_shift/made_clusters.hpp"
#include "tests/sim/mean_shift/mean_shift_cases.hpp"

namespace kinescope::sim {
namespace {

using mean_shift_cases::Trial;

std::size_t clusters_found(const std::shared_ptr<const Dataset>& data, const std::vector<std::string>& settings = {}) {
  Trial run(data, settings);
  return mean_shift_cases::centroids(*run.finished()).rows;
}

// The numbers in bandwidth.cpp were chosen on the sets of seed 1; these are others.
TEST(MeanShiftBandwidth, FindsTheNumberOfClustersThatLieApart) {
  int right = 0;
  for (int number = 0; number < 100; ++number) {
    const auto made = made_clusters::make(number, 2);
    const std::size_t found = clusters_found(made.data);
    right += found == static_cast<std::size_t>(made.clusters);
    if (found != static_cast<std::size_t>(made.clusters))
      std::printf("set %d, %zu points in %zu columns: %d clusters, %zu found\n", number, made.data->points,
                  made.data->dimensions, made.clusters, found);
  }
  std::printf("right in %d of 100 sets\n", right);
  EXPECT_GE(right, 95);
}

TEST(MeanShiftBandwidth, OneClusterIsOne) {
  for (const int k : {1, 2, 3})
    EXPECT_EQ(clusters_found(mean_shift_cases::gaussians(5000, k, 1)), 1u) << k << " columns";
}

TEST(MeanShiftBandwidth, UniformNoiseHasFewClusters) {
  for (const std::size_t k : {1, 2, 3}) {
    const std::size_t found = clusters_found(mean_shift_cases::uniform(5000, k));
    std::printf("uniform noise in %zu columns: %zu\n", k, found);
    EXPECT_LE(found, 3u) << k << " columns";
  }
}

TEST(MeanShiftBandwidth, OtherKernelsFindThePapersClusters) {
  for (const char* kernel : {"kernel=epanechnikov", "kernel=flat"})
    EXPECT_EQ(clusters_found(mean_shift_cases::gaussians(5000), {kernel}), 3u) << kernel;
}

// Rows that occur often, and rows that are far from all others, change the estimate little.
TEST(MeanShiftBandwidth, DuplicatesAndFarRowsDoNotMatter) {
  EXPECT_EQ(clusters_found(mean_shift_cases::points(2, {3, 4})), 1u);
  EXPECT_EQ(clusters_found(mean_shift_cases::points(1, std::vector<float>(500, 7.0f))), 1u);
  const auto rounded = std::make_shared<Dataset>(*mean_shift_cases::gaussians(5000));
  for (float& value : rounded->values) value = std::round(value * 4) / 4;
  EXPECT_EQ(clusters_found(rounded), 3u);
  EXPECT_EQ(clusters_found(mean_shift_cases::outliers(5000, 1000)), 3u + 8u);
}

}  // namespace
}  // namespace kinescope::sim
