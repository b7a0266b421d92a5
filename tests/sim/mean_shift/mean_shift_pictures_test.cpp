// Pictures segmented by mean shift, on the CPU.
#include "tests/sim/mean_shift/mean_shift_pictures.hpp"

#include <array>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <map>

#include "bench/mean_shift/made_picture.hpp"
#include "kinescope/data/write.hpp"
#include "kinescope/error.hpp"
#include "kinescope/in_parallel.hpp"
#include "sim/data/readers/pictures/picture.hpp"
#include "tests/same_bits.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/host_buffers.hpp"

namespace kinescope::sim::mean_shift_pictures_test {
namespace {

using mean_shift_cases::Trial;
using namespace mean_shift_pictures;

TEST(MeanShiftPictures, RegionsBecomeClusters) {
  Trial run(regions(60, 40), {"bandwidth=12"});
  const auto simulation = run.finished();
  const Table modes = mean_shift_cases::centroids(*simulation);
  ASSERT_EQ(modes.rows, 3u);
  EXPECT_EQ(modes.columns[1].numbers, (std::vector<float>{1200, 800, 400}));  // sizes count pixels, not colours
  const Table table = simulation->result();
  ASSERT_EQ(table.rows, 2400u);
  ASSERT_EQ(table.columns.size(), 6u);
  for (std::size_t i = 0; i < table.rows; ++i) {
    EXPECT_EQ(table.columns[0].numbers[i], float(i % 60));  // pixels keep their places
    EXPECT_EQ(table.columns[5].numbers[i], float(region_of(i, 60)));
  }
}

// Merging pixels of equal colours gives the same result as keeping equal points separate.
TEST(MeanShiftPictures, SharedColoursChangeNothing) {
  const auto picture = bench::made_picture(48, 30);
  auto loose = mean_shift_cases::points(3, {});
  loose->points = picture->points;
  for (std::size_t i = 0; i < picture->points; ++i)
    for (std::size_t c = 2; c < 5; ++c)
      loose->rows().values.own().push_back(std::round(picture->values()[5 * i + c] / 8) * 8);
  auto coarse = std::make_shared<Dataset>(*picture);
  for (std::size_t i = 0; i < picture->points; ++i)
    for (std::size_t c = 0; c < 3; ++c)
      coarse->rows().values.own()[5 * i + 2 + c] = std::min(255.f, loose->values()[3 * i + c]);
  for (std::size_t i = 0; i < loose->values().size(); ++i)
    loose->rows().values.own()[i] = std::min(255.f, loose->values()[i]);
  for (const std::string kernel : {"gaussian", "epanechnikov", "flat"})
    for (const std::string method : {"naive", "tiled", "grid", "field"}) {
      const std::vector<std::string> settings = {"bandwidth=20", "iterations=8", "method=" + method,
                                                 "kernel=" + kernel};
      Trial merged(coarse, settings), plain(loose, settings);
      const Table a = merged.finished()->result(), b = plain.finished()->result();
      std::size_t apart = 0;
      for (std::size_t c = 0; c < 3; ++c)
        for (std::size_t i = 0; i < a.rows; ++i)
          apart += !(std::fabs(a.columns[2 + c].numbers[i] - b.columns[c].numbers[i]) <= 1e-3);
      EXPECT_LE(apart, kernel == "gaussian" ? 0 : 3 * a.rows / 50) << kernel << ", " << method;
    }
}

// The error of `bins` against exact sums after 15 iterations, in bandwidths.
TEST(MeanShiftPictures, BinsAreNearExactSums) {
  const auto picture = bench::made_picture(96, 64);
  const std::vector<std::string> settings = {"features=xyrgb", "bandwidth=12", "space_bandwidth=16", "iterations=15"};
  const auto shifted = [&](const char* method) {
    Trial run(picture, settings);
    run.parameters.set("method", method);
    return run.finished()->result();
  };
  const Table exact = shifted("grid"), binned = shifted("bins");
  const std::vector<double> errors = mean_shift_cases::pixels_apart(exact, binned, 16, 12);
  std::printf("bins: median %.2g, 99 %% %.2g, 99.9 %% %.2g, largest %.2g bandwidths\n", errors[errors.size() / 2],
              errors[errors.size() * 99 / 100], mean_shift_cases::nearly_all(errors), errors.back());
  EXPECT_LE(errors[errors.size() / 2], 0.02);
  EXPECT_LE(mean_shift_cases::nearly_all(errors), 0.1);
}

TEST(MeanShiftPictures, TheSegmentedPictureIsWrittenAndReadBack) {
  const TemporaryFolder folder;
  for (const std::string features : {"rgb", "xyrgb"}) {
    Trial run(regions(60, 40), {"bandwidth=12", "space_bandwidth=6", "features=" + features});
    const auto simulation = run.finished();
    EXPECT_EQ(simulation->endings("out").front(), ".png");
    const std::string path = folder.path(features + ".png");
    write_output(*simulation, "out", path);
    const Table read = load_table({path}), modes = mean_shift_cases::centroids(*simulation),
                table = simulation->result();
    EXPECT_EQ(read.picture.width, 60u);
    EXPECT_EQ(read.picture.height, 40u);
    for (std::size_t i = 0; i < read.rows; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        const auto cluster = static_cast<std::size_t>(table.columns.back().numbers[i]);
        ASSERT_EQ(read.columns[2 + c].numbers[i],
                  std::round(modes.columns[modes.columns.size() - 3 + c].numbers[cluster]));
      }
  }
  Trial points(mean_shift_cases::gaussians(100));
  EXPECT_EQ(points.finished()->endings("out"), (std::vector<std::string>{".csv", ".npy"}));
}

// Every third pixel has no row; the others are opaque or half so.
TEST(MeanShiftPictures, TheSegmentedPictureKeepsOpacityAndSixteenBits) {
  const TemporaryFolder folder;
  for (const int bits : {8, 16})
    for (const std::string features : {"rgb", "xyrgb"}) {
      const std::shared_ptr<Dataset> data = test_pictures::translucent_regions(60, 40, bits);
      Trial run(data, {"bandwidth=12", "space_bandwidth=6", "features=" + features});
      const auto simulation = run.finished();
      const Table modes = mean_shift_cases::centroids(*simulation), table = simulation->result();
      ASSERT_EQ(modes.rows, 3u);
      write_output(*simulation, "out", folder.path("a.png"));
      const Table read = load_table({folder.path("a.png")});
      ASSERT_EQ(read.rows, data->points);
      EXPECT_EQ(read.picture.bits, bits);
      EXPECT_EQ(*read.picture.opacity, *data->picture.opacity);
      const double units = bits == 16 ? 257 : 1;
      for (std::size_t i = 0; i < read.rows; ++i)
        for (std::size_t c = 0; c < 3; ++c) {
          const auto cluster = static_cast<std::size_t>(table.columns.back().numbers[i]);
          const double mode = modes.columns[modes.columns.size() - 3 + c].numbers[cluster];
          ASSERT_EQ(float(read.columns[2 + c].numbers[i]), float(std::round(mode * units)) / float(units)) << i;
        }
    }
}

TEST(MeanShiftPictures, PublishesColoursAndClusters) {
  for (const std::string features : {"rgb", "xyrgb"})
    expect_published<test_buffers::HostBuffers>(Backend::cpu, features);
}

TEST(MeanShiftPictures, SameBytesForAnyNumberOfThreadsAndAnyBudget) {
  for (const std::string method : {"field", "bins"}) {
    Trial run(bench::made_picture(80, 60), {"bandwidth=14", "iterations=12", "method=" + method,
                                            std::string("features=") + (method == "bins" ? "xyrgb" : "rgb")});
    run.setup.threads = 1;
    const Table first = run.finished()->result();
    for (const int threads : {1, 2, 7}) {
      run.setup.threads = threads;
      const auto simulation = run.make();
      for (long count = 1; simulation->advance({1e-3, count}); ++count) {
      }
      const Table other = simulation->result();
      for (std::size_t c = 0; c < first.columns.size(); ++c)
        EXPECT_TRUE(same_bits(first.columns[c].numbers, other.columns[c].numbers))
            << method << ", " << threads << " threads, column " << first.columns[c].name;
    }
  }
}

// 64 × 64 pixels of sums of waves, in steps of 6: most of their colours differ.
std::shared_ptr<Dataset> waves(int seed) {
  constexpr std::size_t size = 64;
  std::vector<float> values;
  for (std::size_t i = 0; i < size * size; ++i) {
    const double x = double(i % size), y = double(i / size);
    values.insert(values.end(), {float(x), float(y)});
    for (int k = 3 * seed; k < 3 * seed + 3; ++k) {
      const double value = 128 + 55 * std::sin(0.02 * (1 + k % 5) * x + 0.03 * (1 + k % 7) * y + k) +
                           35 * std::sin(0.11 * (1 + k % 3) * x - 0.07 * y + 2 * k) +
                           20 * std::sin(0.31 * y + 0.17 * x * (1 + k % 2));
      values.push_back(float(std::clamp(6 * std::round(value / 6), 0.0, 255.0)));
    }
  }
  auto data = test_points::dataset(5, std::move(values));
  data->value_names = {"x", "y", "r", "g", "b"};
  data->picture = {size, size};
  return data;
}

// The mode of each pixel's colour by all pairs in double, followed until nothing moves.
std::vector<std::array<double, 3>> modes_of(const Dataset& data, double bandwidth) {
  std::map<std::array<double, 3>, double> colours;
  for (std::size_t i = 0; i < data.points; ++i)
    ++colours[{data.values()[5 * i + 2], data.values()[5 * i + 3], data.values()[5 * i + 4]}];
  std::vector<double> of[3], number;
  for (const auto& [colour, count] : colours) {
    for (std::size_t c = 0; c < 3; ++c) of[c].push_back(colour[c]);
    number.push_back(count);
  }
  const std::size_t n = number.size();
  std::vector<std::array<double, 3>> modes(n);
  const double factor = -0.5 / (bandwidth * bandwidth);
  in_parallel(n, 1, [&](std::size_t i) {
    std::array<double, 3>& at = modes[i] = {of[0][i], of[1][i], of[2][i]};
    std::vector<double> weight(n);
    for (double moved = 1; moved > 1e-7;) {
      double total = 0, to[3] = {};
      for (std::size_t j = 0; j < n; ++j) {
        const double x = of[0][j] - at[0], y = of[1][j] - at[1], z = of[2][j] - at[2];
        const double w = number[j] * std::exp(factor * (x * x + y * y + z * z));
        total += w, to[0] += w * x, to[1] += w * y, to[2] += w * z;
      }
      moved = 0;
      for (std::size_t c = 0; c < 3; ++c) {
        at[c] += to[c] / total;
        moved = std::max(moved, std::fabs(to[c] / total));
      }
    }
  });
  std::vector<std::array<double, 3>> found;
  for (std::size_t i = 0; i < data.points; ++i) {
    const auto colour = colours.find({data.values()[5 * i + 2], data.values()[5 * i + 3], data.values()[5 * i + 4]});
    found.push_back(modes[std::size_t(std::distance(colours.begin(), colour))]);
  }
  return found;
}

// Pixels used to stop on flat ridges and at saddles: in each of these pictures one was a cluster of its own or far from
// its mode, although the run said that it had converged.
TEST(MeanShiftPictures, EveryPixelArrivesAtItsMode) {
  const auto expect = [](int seed, double bandwidth) {
    const auto picture = waves(seed);
    const std::vector<std::array<double, 3>> modes = modes_of(*picture, bandwidth);
    Trial run(picture, {"bandwidth=" + std::to_string(bandwidth)});
    const auto simulation = run.finished();
    EXPECT_TRUE(simulation->progress().converged);
    const Table table = simulation->result();
    std::map<std::size_t, std::array<double, 3>> mode_of;  // of each cluster
    for (std::size_t i = 0; i < table.rows; ++i) {
      double square = 0, apart = 0;
      const auto& mode = mode_of.try_emplace(std::size_t(table.columns[5].numbers[i]), modes[i]).first->second;
      for (std::size_t c = 0; c < 3; ++c) {
        square += std::pow(table.columns[2 + c].numbers[i] - modes[i][c], 2);
        apart += std::pow(mode[c] - modes[i][c], 2);
      }
      ASSERT_LT(std::sqrt(square), 0.02 * bandwidth) << "pixel " << i << " of " << seed;
      ASSERT_LT(std::sqrt(apart), bandwidth) << "pixel " << i << " of " << seed << " is in another's cluster";
    }
    for (const auto& [a, first] : mode_of)
      for (const auto& [b, second] : mode_of)
        if (a < b)
          EXPECT_GT(std::hypot(first[0] - second[0], first[1] - second[1], first[2] - second[2]), 0.5 * bandwidth);
  };
  expect(5, 16);
  expect(3, 12);
}

TEST(MeanShiftPictures, LiveBandwidthGoesOn) {
  for (const std::string method : {"auto", "bins"}) {
    Trial run(bench::made_picture(48, 30), {"bandwidth=14", "method=" + method, "features=xyrgb"});
    const auto simulation = run.finished();
    simulation->set("bandwidth", "40");
    EXPECT_FALSE(simulation->progress().converged);
    while (simulation->advance({})) {
    }
    for (const double value : mean_shift_cases::rows(simulation->result())) ASSERT_TRUE(std::isfinite(value));
  }
}

}  // namespace
}  // namespace kinescope::sim::mean_shift_pictures_test
