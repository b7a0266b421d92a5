// Pictures for mean shift's tests on both backends, and what a run of one publishes.
#pragma once

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/sim/mean_shift/mean_shift_cases.hpp"
#include "tests/sim/test_pictures.hpp"

namespace kinescope::sim::mean_shift_pictures {

using test_pictures::region_of, test_pictures::regions;

// Before the first iteration each pixel has its own colour and no cluster; at the end it has its mode's colour and the
// cluster in the table.
inline void check_published(Simulation& simulation, const Dataset& data, const std::vector<std::uint32_t>& before,
                            const std::vector<std::uint32_t>& after, const std::vector<std::uint32_t>& clusters) {
  const Table table = simulation.result(), modes = mean_shift_cases::centroids(simulation);
  ASSERT_EQ(before.size(), data.points);
  ASSERT_EQ(after.size(), data.points);
  for (std::size_t i = 0; i < data.points; ++i) {
    const auto cluster = static_cast<std::size_t>(table.columns.back().numbers[i]);
    ASSERT_EQ(clusters[i], cluster) << i;
    for (std::size_t c = 0; c < 3; ++c) {
      ASSERT_EQ(before[i] >> (8 * c) & 255, std::uint32_t(data.values()[5 * i + 2 + c])) << i;
      ASSERT_EQ(after[i] >> (8 * c) & 255,
                std::uint32_t(std::round(modes.columns[modes.columns.size() - 3 + c].numbers[cluster])))
          << i;
    }
    ASSERT_EQ(before[i] >> 24, 255u);
  }
}

template <class Buffers>
void expect_published(Backend backend, const std::string& features) {
  mean_shift_cases::Trial run(regions(60, 40), {"bandwidth=12", "space_bandwidth=6", "features=" + features});
  run.setup.backend = backend;
  const auto simulation = run.make();
  Buffers buffers;
  simulation->attach(buffers);
  simulation->publish();
  simulation->finish();
  const auto words = [&](const char* name) {
    const auto published = buffers.template of<std::uint32_t>(name);
    return std::vector<std::uint32_t>(published.begin(), published.end());
  };
  const std::vector<std::uint32_t> before = words("segmented");
  EXPECT_EQ(words("clusters"), std::vector<std::uint32_t>(run.data->points, no_cluster));
  EXPECT_EQ(simulation->snapshot()->share<Groups>(), nullptr);
  while (simulation->advance({})) {
  }
  simulation->publish();
  simulation->finish();
  check_published(*simulation, *run.data, before, words("segmented"), words("clusters"));
  ASSERT_NE(simulation->snapshot()->share<Groups>(), nullptr);
  EXPECT_EQ(simulation->snapshot()->share<Groups>()->sizes.size(), mean_shift_cases::centroids(*simulation).rows);
}

}  // namespace kinescope::sim::mean_shift_pictures
