// What mean shift publishes for the screen: the density over the plane, the groups, the curve of occupied places. Also
// what a change of the bandwidth does to a run that is being watched.
#include <gtest/gtest.h>
#include <set>

#include "tests/sim/host_buffers.hpp"
#include "tests/sim/mean_shift/mean_shift_cases.hpp"

namespace kinescope::sim::mean_shift_screen::mean_shift_screen_test {
namespace {

namespace cases = mean_shift_cases;

// A run that publishes to buffers.
struct Watched {
  explicit Watched(cases::Trial& trial) : simulation(trial.make()) {
    simulation->attach(buffers);
    simulation->publish();
  }
  void step(long iterations) {
    simulation->advance({std::numeric_limits<double>::infinity(), iterations});
    simulation->publish();
  }
  void finish() {
    while (simulation->advance({})) {
    }
    simulation->publish();
  }
  std::shared_ptr<const Groups> groups() const { return simulation->snapshot()->share<Groups>(); }
  double bandwidth() const { return simulation->snapshot()->find<Bandwidth>()->value; }
  // A copy of what was published last; empty if there is no such buffer.
  template <class T>
  std::vector<T> content(const char* name) const {
    const std::span<const T> now = buffers.of<T>(name);
    return {now.begin(), now.end()};
  }

  test_buffers::HostBuffers buffers;
  std::unique_ptr<Simulation> simulation;
};

TEST(MeanShiftScreen, TheMapIsTheDensity) {
  for (const char* kernel : {"gaussian", "epanechnikov", "flat"}) {
    const double bandwidth = 1.5;
    cases::Trial trial(cases::gaussians(400), {"bandwidth=1.5", std::string("kernel=") + kernel});
    Watched watched(trial);
    const DensityMap map = *watched.simulation->snapshot()->find<DensityMap>();
    const std::vector<float> values = watched.content<float>("density_map");
    ASSERT_EQ(values.size(), std::size_t(map.rows) * std::size_t(map.columns));
    const double cell = map.side / map.columns;
    double worst = 0, largest = 0;
    for (int row = 3; row < map.rows; row += 11)
      for (int column = 5; column < map.columns; column += 11) {
        const double y[2] = {map.low_x + (column + 0.5) * cell, map.low_y + (row + 0.5) * cell};
        const double exact = cases::brute_sum(*trial.data, y, kernel, bandwidth).weight / double(trial.data->points);
        const double shown = values[std::size_t(row) * std::size_t(map.columns) + std::size_t(column)];
        worst = std::max(worst, std::abs(shown - exact));
        largest = std::max(largest, exact);
      }
    EXPECT_LT(worst, (std::string(kernel) == "flat" ? 0.03 : 0.005) * largest) << kernel;
    EXPECT_EQ(map.maximum, *std::max_element(values.begin(), values.end()));
  }
}

// For every bandwidth the mean over all cells is the kernel's integral. For a bandwidth far below a cell of the map
// this holds only nearly, because negative values that interpolation leaves are cut off at 0.
TEST(MeanShiftScreen, TheMapHoldsTheWholeWeight) {
  for (const double bandwidth : {0.01, 0.3, 3.0}) {
    cases::Trial trial(cases::gaussians(500), {"bandwidth=" + std::to_string(bandwidth)});
    Watched watched(trial);
    const DensityMap map = *watched.simulation->snapshot()->find<DensityMap>();
    double sum = 0;
    for (const float value : watched.content<float>("density_map")) sum += value;
    const double cell = map.side / map.columns;
    EXPECT_NEAR(sum * cell * cell / (2 * M_PI * bandwidth * bandwidth), 1, bandwidth < 0.1 ? 0.15 : 0.01) << bandwidth;
  }
}

TEST(MeanShiftScreen, OtherThanTwoColumnsHaveNoMap) {
  cases::Trial trial(cases::gaussians(100, 3));
  Watched watched(trial);
  EXPECT_EQ(watched.simulation->snapshot()->find<DensityMap>(), nullptr);
  EXPECT_TRUE(watched.content<float>("density_map").empty());
}

TEST(MeanShiftScreen, GroupsAreTheCentroids) {
  cases::Trial trial(cases::gaussians(3000, 3));
  Watched watched(trial);
  EXPECT_EQ(watched.groups(), nullptr);
  watched.finish();
  const auto groups = watched.groups();
  ASSERT_NE(groups, nullptr);
  const Table centroids = watched.simulation->table("centroids");
  ASSERT_EQ(groups->sizes.size(), centroids.rows);
  ASSERT_EQ(groups->columns, 3u);
  const std::vector<std::uint32_t> clusters = watched.content<std::uint32_t>("clusters");
  for (std::size_t k = 0; k < centroids.rows; ++k) {
    EXPECT_EQ(float(groups->sizes[k]), centroids.columns[1].numbers[k]);
    EXPECT_EQ(std::size_t(std::count(clusters.begin(), clusters.end(), std::uint32_t(k))), groups->sizes[k]);
    for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(groups->centres[k * 3 + c], centroids.columns[3 + c].numbers[k]);
  }
}

// Before the first iteration the occupied places are the cells that contain data, which the test counts one by one.
TEST(MeanShiftScreen, PlacesFallToTheNumberOfClusters) {
  cases::Trial trial(cases::gaussians(5000), {"bandwidth=1.5"});
  Watched watched(trial);
  watched.step(1);
  const History history = watched.simulation->history();
  ASSERT_EQ(history.entries.size(), 1u);
  const double side = 0.5 * 1.5;
  std::set<std::pair<long, long>> cells;
  const auto centre = [&](std::size_t c) {  // the cells' origin is arbitrary; it changes the number a little
    return double(trial.data->values()[c]);
  };
  for (std::size_t i = 0; i < trial.data->points; ++i)
    cells.insert({std::lround((trial.data->values()[2 * i] - centre(0)) / side),
                  std::lround((trial.data->values()[2 * i + 1] - centre(1)) / side)});
  EXPECT_NEAR(history.entries[0].second_figure, double(cells.size()), 0.15 * double(cells.size()));
  watched.finish();
  EXPECT_EQ(watched.simulation->progress().second_figure, double(watched.groups()->sizes.size()));
}

TEST(MeanShiftScreen, AnotherBandwidthGoesOnOrStartsAnew) {
  for (const bool anew : {false, true}) {
    cases::Trial trial(cases::gaussians(2000), {"bandwidth=1", anew ? "on_change=start-anew" : "on_change=go-on"});
    Watched watched(trial);
    watched.finish();
    const long before = watched.simulation->progress().iteration;
    const auto clusters = watched.groups()->sizes.size();
    watched.simulation->set("bandwidth", "9");
    EXPECT_EQ(watched.groups(), nullptr);
    EXPECT_FALSE(watched.simulation->progress().converged);
    EXPECT_EQ(watched.simulation->progress().iteration, anew ? 0 : before);
    watched.simulation->publish();
    const bool at_start = watched.content<float>("positions") == watched.content<float>("data");
    EXPECT_FALSE(!anew && at_start);
    watched.finish();
    EXPECT_LT(watched.groups()->sizes.size(), clusters);
    EXPECT_EQ(watched.bandwidth(), 9);
    if (!anew) continue;
    // The result is that of a run that had this bandwidth from the beginning.
    cases::Trial other(trial.data, {"bandwidth=9"});
    Watched fresh(other);
    fresh.finish();
    EXPECT_EQ(watched.content<float>("positions"), fresh.content<float>("positions"));
    EXPECT_EQ(watched.content<float>("density_map"), fresh.content<float>("density_map"));
  }
}

// Merged points cannot separate. So a bandwidth smaller than one that has moved the points restarts the run by itself,
// and a larger one continues it.
TEST(MeanShiftScreen, ASmallerBandwidthSeparatesWhatHasMerged) {
  cases::Trial trial(cases::gaussians(1000), {"bandwidth=9"});
  Watched watched(trial);
  watched.finish();
  const auto few = watched.groups()->sizes.size();
  watched.simulation->set("bandwidth", "1");
  EXPECT_EQ(watched.simulation->progress().iteration, 0);
  watched.finish();
  cases::Trial other(trial.data, {"bandwidth=1"});
  Watched fresh(other);
  fresh.finish();
  EXPECT_EQ(watched.groups()->sizes, fresh.groups()->sizes);
  EXPECT_GT(watched.groups()->sizes.size(), few);
  const long before = watched.simulation->progress().iteration;
  watched.simulation->set("bandwidth", "3");
  EXPECT_EQ(watched.simulation->progress().iteration, before);
  watched.step(2);
  watched.simulation->set("bandwidth", "2");  // larger than 1, but the points have moved with 3
  EXPECT_EQ(watched.simulation->progress().iteration, 0);
}

// Groups appear with the publication that has their labels, not before.
TEST(MeanShiftScreen, GroupsComeWithTheBufferThatHasThem) {
  cases::Trial trial(cases::gaussians(500), {"bandwidth=1.5"});
  Watched watched(trial);  // one publication
  const auto published = watched.simulation->snapshot();
  while (watched.simulation->advance({})) {
  }
  const auto ended = watched.groups();
  ASSERT_NE(ended, nullptr);
  EXPECT_EQ(published->find<Groups>(), nullptr);
  watched.simulation->publish();
  EXPECT_EQ(watched.groups(), ended);
  watched.simulation->set("bandwidth", "3");
  EXPECT_EQ(watched.groups(), nullptr);
}

// An impossible bandwidth is refused and leaves the run as it was.
TEST(MeanShiftScreen, AnImpossibleBandwidthChangesNothing) {
  cases::Trial trial(cases::gaussians(500), {"bandwidth=1", "on_change=start-anew"});
  Watched watched(trial);
  watched.step(3);
  EXPECT_ANY_THROW(watched.simulation->set("bandwidth", "1e-20"));
  EXPECT_EQ(watched.bandwidth(), 1);
  watched.finish();
  EXPECT_NE(watched.groups(), nullptr);
}

}  // namespace
}  // namespace kinescope::sim::mean_shift_screen::mean_shift_screen_test
