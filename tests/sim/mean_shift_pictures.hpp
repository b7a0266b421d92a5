// Pictures for mean shift's tests on both backends, and what a run of one publishes.
#pragma once

#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "sim/core/buffer_source.hpp"
#include "tests/sim/mean_shift_cases.hpp"

namespace kinescope::sim::mean_shift_pictures {

// A half, a third and a sixth of the pixels.
inline int region_of(std::size_t i, std::size_t width) {
  const std::size_t x = i % width;
  return x < width / 2 ? 0 : x < width * 5 / 6 ? 1 : 2;
}

// Three upright regions, each of one colour and a little grain.
inline std::shared_ptr<Dataset> regions(std::size_t width, std::size_t height) {
  const int colours[3][3] = {{40, 60, 200}, {220, 180, 30}, {20, 140, 60}};
  auto data = mean_shift_cases::points(5, {});
  data->points = width * height;
  data->value_names = {"x", "y", "r", "g", "b"};
  data->picture = {width, height};
  for (std::size_t i = 0; i < data->points; ++i) {
    data->values.push_back(float(i % width));
    data->values.push_back(float(i / width));
    for (std::uint32_t c = 0; c < 3; ++c)
      data->values.push_back(float(colours[region_of(i, width)][c]) + std::floor(5 * Random(8, 2).uniform(i, c)) - 2);
  }
  return data;
}

// Buffers in host memory.
class HostBuffers : public BufferSource {
 public:
  MemoryKind memory_kind() const override { return MemoryKind::host; }
  Id create(std::string_view name, std::size_t bytes) override {
    names_[std::string(name)] = memory_.size();
    memory_.emplace_back(bytes);
    return memory_.size() - 1;
  }
  void* address(Id id) override { return memory_[id].data(); }
  bool begin(void*) override { return true; }
  void end() override {}

  template <class T>
  std::vector<T> words(const std::string& name) const {
    const std::vector<unsigned char>& bytes = memory_[names_.at(name)];
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
    return values;
  }

 private:
  std::map<std::string, Id> names_;
  std::vector<std::vector<unsigned char>> memory_;
};

// At the start each pixel's own colour and no cluster; at the end its mode's colour and its cluster, as in the table.
inline void check_published(Simulation& simulation, const Dataset& data, const std::vector<std::uint32_t>& before,
                            const std::vector<std::uint32_t>& after, const std::vector<std::uint32_t>& clusters) {
  const Table table = simulation.result(), modes = mean_shift_cases::centroids(simulation);
  ASSERT_EQ(before.size(), data.points);
  ASSERT_EQ(after.size(), data.points);
  for (std::size_t i = 0; i < data.points; ++i) {
    const auto cluster = static_cast<std::size_t>(table.columns.back().numbers[i]);
    ASSERT_EQ(clusters[i], cluster) << i;
    for (std::size_t c = 0; c < 3; ++c) {
      ASSERT_EQ(before[i] >> (8 * c) & 255, std::uint32_t(data.values[5 * i + 2 + c])) << i;
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
  const auto before = buffers.template words<std::uint32_t>("segmented");
  EXPECT_EQ(buffers.template words<std::uint32_t>("clusters"),
            std::vector<std::uint32_t>(run.data->points, no_cluster));
  EXPECT_EQ(dynamic_cast<MeanShift&>(*simulation).groups(), nullptr);
  while (simulation->advance({})) {
  }
  simulation->publish();
  simulation->finish();
  check_published(*simulation, *run.data, before, buffers.template words<std::uint32_t>("segmented"),
                  buffers.template words<std::uint32_t>("clusters"));
  ASSERT_NE(dynamic_cast<MeanShift&>(*simulation).groups(), nullptr);
  EXPECT_EQ(dynamic_cast<MeanShift&>(*simulation).groups()->sizes.size(),
            mean_shift_cases::centroids(*simulation).rows);
}

}  // namespace kinescope::sim::mean_shift_pictures
