// What k-means publishes for the screen: points in the shown columns, clusters, regions, centroids and their paths.
#include <algorithm>
#include <gtest/gtest.h>

#include "tests/sim/host_buffers.hpp"
#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::k_means_screen::k_means_screen_test {
namespace {

namespace cases = k_means_cases;
using test_buffers::HostBuffers;

TEST(KMeansScreen, GroupsPathsAndRegionsFollowTheCentroids) {
  cases::Trial trial(cases::gaussians(2000, 2, 6), {"clusters=6", "stop=iterations"});
  const auto simulation = trial.make();
  HostBuffers buffers;
  simulation->attach(buffers);
  for (int step = 1; step <= 14; ++step) {
    simulation->advance({1e9, 1});
    simulation->publish();
    const auto groups = simulation->snapshot()->share<Groups>();
    ASSERT_NE(groups, nullptr);
    const std::size_t placed = std::min(step, 6);  // the first launches draw the start
    ASSERT_GE(groups->sizes.size(), placed);
    const auto centroids = buffers.of("centroids");
    for (std::size_t e = 0; e < 2 * groups->sizes.size(); ++e) EXPECT_EQ(groups->centres[e], centroids[e]);
    const auto paths = simulation->snapshot()->share<CentroidPaths>();
    if (paths && paths->rows() > 0) {
      EXPECT_TRUE(std::ranges::equal(paths->row(paths->rows() - 1), groups->centres));
    }
  }
  const RegionMap map = *simulation->snapshot()->find<RegionMap>();
  const auto regions = buffers.of<std::uint32_t>("regions");
  ASSERT_EQ(regions.size(), static_cast<std::size_t>(map.rows) * static_cast<std::size_t>(map.columns));
  const std::vector<float> centres = simulation->snapshot()->find<Groups>()->centres;
  const double side = (map.high_x - map.low_x) / map.columns;
  EXPECT_NEAR(side, (map.high_y - map.low_y) / map.rows, 1e-9 * side);
  for (int row = 1; row < map.rows; row += 41)
    for (int column = 3; column < map.columns; column += 37) {
      const double x = map.low_x + (column + 0.5) * side, y = map.low_y + (row + 0.5) * side;
      const auto square = [&](std::size_t k) {
        return std::pow(x - centres[2 * k], 2) + std::pow(y - centres[2 * k + 1], 2);
      };
      const std::size_t region = regions[static_cast<std::size_t>(row * map.columns + column)];
      ASSERT_LT(region, 6u);
      for (std::size_t k = 0; k < 6; ++k) EXPECT_LE(square(region), square(k) * (1 + 1e-4));
    }
  EXPECT_TRUE(std::ranges::equal(buffers.of("positions"), trial.data->values()));
}

// The runs stop early, when the sizes of the last iteration are no longer those for the present centroids.
TEST(KMeansScreen, OnceItIsOverNamesAndSizesAreThoseOfTheFiles) {
  for (const char* settings : {"clusters=7", "clusters=40"}) {
    cases::Trial trial(cases::gaussians(3000, 2, 5), {settings, "start=random", "iterations=2"});
    const auto simulation = trial.make();
    HostBuffers buffers;
    simulation->attach(buffers);
    while (simulation->advance({1e9, 1})) {
    }
    simulation->publish();
    const auto groups = simulation->snapshot()->share<Groups>();
    ASSERT_NE(groups, nullptr);
    const auto sizes = cases::entry<std::vector<std::int64_t>>(*simulation, "sizes");
    const auto own = buffers.of<std::uint32_t>("clusters");
    const std::vector<std::uint32_t> files = cases::labels(*simulation);
    ASSERT_EQ(own.size(), files.size());
    const std::vector<std::size_t> order = by_size(groups->sizes);
    for (std::size_t place = 0; place < order.size(); ++place)
      EXPECT_EQ(static_cast<std::int64_t>(groups->sizes[order[place]]), sizes[place]);
    for (std::size_t i = 0; i < own.size(); ++i) ASSERT_EQ(own[i], order[files[i]]);
  }
}

// The principal axes are uncorrelated and have descending variances, and no column has a larger variance than the
// first.
TEST(KMeansScreen, ManyColumnsAreShownAlongTheirPrincipalAxes) {
  const auto data = cases::gaussians(3000, 9, 5);
  cases::Trial trial(data, {"clusters=5"});
  const auto simulation = trial.make();
  HostBuffers buffers;
  simulation->attach(buffers);
  simulation->publish();
  const std::vector<std::string> names = simulation->snapshot()->find<PublishedColumns>()->names;
  ASSERT_EQ(names.size(), 12u);
  EXPECT_EQ(names[0].find("axis 1 ("), 0u);
  EXPECT_EQ(names[3], "c0");
  const auto shown = buffers.of("positions");
  ASSERT_EQ(shown.size(), 12 * data->points);
  std::vector<double> means(12), products(144);
  for (std::size_t i = 0; i < data->points; ++i)
    for (std::size_t a = 0; a < 12; ++a) means[a] += shown[12 * i + a] / static_cast<double>(data->points);
  for (std::size_t i = 0; i < data->points; ++i)
    for (std::size_t a = 0; a < 12; ++a)
      for (std::size_t b = 0; b < 12; ++b)
        products[12 * a + b] += (shown[12 * i + a] - means[a]) * (shown[12 * i + b] - means[b]);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(means[axis], 0, 1e-3);
    if (axis > 0) {
      EXPECT_LE(products[13 * axis], products[13 * (axis - 1)]);
    }
    for (std::size_t other = 0; other < axis; ++other) EXPECT_NEAR(products[12 * axis + other], 0, 1e-3 * products[0]);
  }
  for (std::size_t c = 3; c < 12; ++c) EXPECT_LE(products[13 * c], products[0]);
  for (std::size_t i = 0; i < data->points; i += 100)
    for (std::size_t c = 0; c < 9; ++c) EXPECT_EQ(shown[12 * i + 3 + c], data->values()[9 * i + c]);
}

}  // namespace
}  // namespace kinescope::sim::k_means_screen::k_means_screen_test
