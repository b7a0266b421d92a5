// Pictures in the colours of k-means' centroids, for the tests on both backends.
#pragma once

#include <cmath>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "tests/sim/k_means/k_means_cases.hpp"
#include "tests/sim/test_pictures.hpp"

namespace kinescope::sim::k_means_pictures {

// What is published of a picture: grey at first; at the end each pixel has the colour of its cluster's centroid, which
// --palette has too.
template <class Buffers>
void expect_published(Backend backend, const std::string& features, const std::string& normalize) {
  k_means_cases::Trial run(test_pictures::regions(60, 40),
                           {"clusters=3", "features=" + features, "normalize=" + normalize});
  run.setup.backend = backend;
  const auto simulation = run.make();
  Buffers buffers;
  simulation->attach(buffers);
  simulation->publish();
  EXPECT_EQ(simulation->table("palette").rows, 0u);  // it waits for what was published
  const auto published = [&](const char* name) {
    const auto values = buffers.template of<std::uint32_t>(name);
    return std::vector<std::uint32_t>(values.begin(), values.end());
  };
  EXPECT_EQ(published("segmented"), std::vector<std::uint32_t>(run.data->points, 0xFF808080));
  while (simulation->advance({})) {
  }
  simulation->publish();
  simulation->finish();
  const std::vector<std::uint32_t> segmented = published("segmented"), clusters = published("clusters");
  const Table table = simulation->result(), palette = simulation->table("palette");
  const auto groups = simulation->snapshot()->share<Groups>();
  ASSERT_EQ(palette.rows, 3u);
  for (std::size_t i = 0; i < run.data->points; ++i) {
    const auto cluster = static_cast<std::size_t>(table.columns[0].numbers[i]);
    ASSERT_EQ(segmented[i] >> 24, 255u);
    for (std::size_t c = 0; c < 3; ++c) {
      ASSERT_EQ(segmented[i] >> (8 * c) & 255, std::uint32_t(palette.columns[2 + c].numbers[cluster])) << i;
      ASSERT_EQ(groups->colours[clusters[i]][c], std::uint32_t(palette.columns[2 + c].numbers[cluster])) << i;
    }
  }
}

}  // namespace kinescope::sim::k_means_pictures
