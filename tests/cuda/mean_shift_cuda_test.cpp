// Mean shift on a CUDA device against the CPU and a double-precision brute force.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include "kinescope/executors/devices.hpp"
#include "tests/cuda/device_buffers.hpp"
#include "tests/same_bits.hpp"
#include "tests/sim/mean_shift/mean_shift_cases.hpp"

namespace kinescope::sim::mean_shift_cuda_test {
namespace {

using mean_shift_cases::Rows;
using test_buffers::DeviceBuffers;

struct Trial : mean_shift_cases::Trial {
  using mean_shift_cases::Trial::Trial;
  Trial& on(Backend backend) {
    setup.backend = backend;
    return *this;
  }
};

class MeanShiftCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

TEST_F(MeanShiftCuda, EveryMethodAgreesWithBruteForce) {
  struct Case {
    const char* name;
    std::shared_ptr<const Dataset> data;
    double bandwidth;
  };
  const std::vector<Case> all = {{"paper", mean_shift_cases::gaussians(20'000), 1.5},
                                 {"paper, narrow", mean_shift_cases::gaussians(6000), 0.4},
                                 {"uniform", mean_shift_cases::uniform(4000, 2), 0.8},
                                 {"uniform 3-D", mean_shift_cases::uniform(4000, 3), 1.5},
                                 {"uniform 1-D", mean_shift_cases::uniform(3000, 1), 0.5},
                                 {"duplicates", mean_shift_cases::duplicates(3600), 0.6},
                                 {"line", mean_shift_cases::line(3000), 0.7},
                                 {"outliers", mean_shift_cases::outliers(4000, 60), 1.0},
                                 {"far outliers", mean_shift_cases::outliers(4000, 1e5f), 1.0},
                                 {"3-D clusters", mean_shift_cases::gaussians(20'000, 3, 8), 1.0}};
  for (const Case& c : all) {
    const std::vector<std::size_t> which = mean_shift_cases::sample(c.data->points, 1000);
    const Rows reference =
        mean_shift_cases::brute_force(*c.data, which, mean_shift_cases::starts(*c.data), "gaussian", c.bandwidth, 15);
    for (const std::string method : {"naive", "tiled", "grid", "field", "auto"}) {
      Trial run(c.data, {"method=" + method, "bandwidth=" + std::to_string(c.bandwidth), "iterations=15"});
      const auto simulation = run.on(Backend::cuda).finished();
      EXPECT_EQ(simulation->progress().iteration, 15);
      const auto errors = mean_shift_cases::errors(mean_shift_cases::rows(simulation->result()), reference, which,
                                                   c.data->dimensions, c.bandwidth);
      std::printf("%-14s %-6s 99.9 %%: %.2g, largest: %.2g\n", c.name, method.c_str(),
                  mean_shift_cases::nearly_all(errors), errors.back());
      EXPECT_LE(mean_shift_cases::nearly_all(errors), method == "naive" || method == "tiled" ? 1e-4 : 1e-5)
          << c.name << ", " << method;
    }
  }
}

TEST_F(MeanShiftCuda, TheFieldIsAsGoodAsOnTheCpu) {
  for (const auto& c : mean_shift_cases::hard::cases()) {
    const double cpu = mean_shift_cases::hard::measured(c, Trial(c.data), "field").largest;
    const double cuda =
        mean_shift_cases::hard::measured(c, mean_shift_cases::Trial(c.data).on(Backend::cuda), "field").largest;
    EXPECT_LE(cuda, std::max(1e-5, 3 * cpu)) << c.name;
  }
}

TEST_F(MeanShiftCuda, AgreesWithTheCpuForAnyKernelAndColumns) {
  for (const int k : {1, 2, 3, 5, 8, 16})
    for (const std::string kernel : {"gaussian", "epanechnikov", "flat"})
      for (const std::string method : {"naive", "tiled", "grid"}) {
        Trial run(mean_shift_cases::gaussians(2000, k, 4),
                  {"method=" + method, "kernel=" + kernel, "bandwidth=1.5", "iterations=5",
                   k < 16 ? "tile_width=101" : "tile_width=1024"});
        const Rows cpu = mean_shift_cases::rows(run.on(Backend::cpu).finished()->result());
        const Rows cuda = mean_shift_cases::rows(run.on(Backend::cuda).finished()->result());
        std::size_t apart = 0;
        for (std::size_t i = 0; i < cpu.size(); ++i) apart += !(std::fabs(cpu[i] - cuda[i]) <= 1e-4 * 1.5);
        EXPECT_LE(apart, kernel == "flat" ? cpu.size() / 50 : cpu.size() / 1000)
            << k << " columns, " << kernel << ", " << method;
      }
}

TEST_F(MeanShiftCuda, TiledAgreesWithTheCpuForBlocksOfAnySize) {
  for (const int k : {1, 2, 3})
    for (const std::string threads : {"32", "100", "512"}) {
      Trial run(mean_shift_cases::gaussians(3000, k, 4),
                {"method=tiled", "bandwidth=1.5", "iterations=5", "block_threads=" + threads});
      const Rows cpu = mean_shift_cases::rows(run.on(Backend::cpu).finished()->result());
      const Rows cuda = mean_shift_cases::rows(run.on(Backend::cuda).finished()->result());
      std::size_t apart = 0;
      for (std::size_t i = 0; i < cpu.size(); ++i) apart += !(std::fabs(cpu[i] - cuda[i]) <= 1e-4 * 1.5);
      EXPECT_LE(apart, cpu.size() / 1000) << k << " columns, " << threads << " threads";
    }
}

// There are so many points that each thread block sums over all data; with fewer points the data are divided among
// blocks.
TEST_F(MeanShiftCuda, TiledAgreesWithBruteForceForManyPoints) {
  Trial run(mean_shift_cases::gaussians(1'600'000), {"method=tiled", "bandwidth=1.5", "iterations=1"});
  const Rows found = mean_shift_cases::rows(run.on(Backend::cuda).finished()->result());
  const std::vector<std::size_t> which = mean_shift_cases::sample(run.data->points, 50);
  const Rows reference =
      mean_shift_cases::brute_force(*run.data, which, mean_shift_cases::starts(*run.data), "gaussian", 1.5, 1);
  EXPECT_LE(mean_shift_cases::errors(found, reference, which, 2, 1.5).back(), 1e-4);
}

TEST_F(MeanShiftCuda, LabelsAgreeWithTheCpu) {
  for (const std::string method : {"tiled", "grid", "field", "auto"}) {
    Trial run(mean_shift_cases::gaussians(50'000), {"method=" + method, "bandwidth=1.5"});
    const Table cpu = Trial(run.data, {"bandwidth=1.5"}).finished()->result();
    const Table cuda = run.on(Backend::cuda).finished()->result();
    EXPECT_GE(mean_shift_cases::adjusted_rand_index(cpu.columns.back().numbers.floats(),
                                                    cuda.columns.back().numbers.floats()),
              0.999)
        << method;
  }
}

TEST_F(MeanShiftCuda, SameBytesTwiceAndForAnyBudget) {
  for (const std::string method : {"naive", "tiled", "grid", "field"}) {
    Trial run(mean_shift_cases::gaussians(30'000, 3, 5), {"method=" + method, "bandwidth=1"});
    run.on(Backend::cuda);
    const Table first = run.finished()->result();
    const auto simulation = run.make();
    for (long count = 1; simulation->advance({2e-4, 1 + count % 7}); ++count) {
    }
    simulation->finish();
    const Table cut = simulation->result();
    for (std::size_t c = 0; c < first.columns.size(); ++c)
      EXPECT_TRUE(same_bits(first.columns[c].numbers, cut.columns[c].numbers)) << method;
  }
}

TEST_F(MeanShiftCuda, LiveBandwidthGoesOnWithoutNaN) {
  for (const std::string method : {"naive", "tiled", "grid", "field", "auto"}) {
    Trial run(mean_shift_cases::outliers(20'000, 40),
              {"method=" + method, "bandwidth=30", "iterations=10", "on_change=go-on"});
    const auto simulation = run.on(Backend::cuda).finished();
    for (const char* bandwidth : {"0.02", "1.5"}) {
      simulation->set("bandwidth", bandwidth);
      while (simulation->advance({})) {
      }
      for (const double value : mean_shift_cases::rows(simulation->result()))
        ASSERT_TRUE(std::isfinite(value)) << method;
    }
    EXPECT_EQ(simulation->progress().iteration, 30);
    const History history = simulation->history();
    EXPECT_EQ(history.entries.size(), 30u);
  }
}

TEST_F(MeanShiftCuda, DegenerateInput) {
  for (const auto& data :
       {mean_shift_cases::points(3, {1, 2, 3}), mean_shift_cases::points(2, std::vector<float>(40'000, 4.0f)),
        mean_shift_cases::points(1, {1, 5}), mean_shift_cases::points(2, {0, 0, 1e30f, 0, 0, 1e30f, -1e30f, 5})})
    for (const std::string kernel : {"gaussian", "epanechnikov", "flat"})
      for (const std::string method : {"auto", "naive", "tiled", "grid", "field"}) {
        Trial run(data, {"method=" + method, "kernel=" + kernel});
        for (const double value : mean_shift_cases::rows(run.on(Backend::cuda).finished()->result()))
          EXPECT_TRUE(std::isfinite(value));
      }
}

TEST_F(MeanShiftCuda, TenMillionPointsInThreeColumnsAreWithinTheBound) {
  Trial run(mean_shift_cases::gaussians(10'000'000, 3, 8), {"bandwidth=1", "iterations=15"});
  const auto simulation = run.on(Backend::cuda).finished();
  const Rows found = mean_shift_cases::rows(simulation->result());
  const std::vector<std::size_t> which = mean_shift_cases::sample(run.data->points, 8);
  const Rows reference =
      mean_shift_cases::brute_force(*run.data, which, mean_shift_cases::starts(*run.data), "gaussian", 1, 15);
  const auto errors = mean_shift_cases::errors(found, reference, which, 3, 1);
  EXPECT_LE(errors.back(), 1e-5);
}

// Compares the density over the plane with sums over all pairs; and the curve of places must end at the number of
// clusters.
TEST_F(MeanShiftCuda, GivesTheScreenItsDensityAndItsGroups) {
  for (const char* kernel : {"gaussian", "epanechnikov"}) {
    Trial trial(mean_shift_cases::gaussians(20'000), {"bandwidth=1.5", std::string("kernel=") + kernel});
    const auto simulation = trial.on(Backend::cuda).make();
    DeviceBuffers buffers;
    simulation->attach(buffers);
    simulation->publish();
    simulation->finish();
    const DensityMap map = *simulation->snapshot()->find<DensityMap>();
    const std::vector<float> values = buffers.of("density_map");
    ASSERT_EQ(values.size(), std::size_t(map.rows) * std::size_t(map.columns));
    const double cell = map.side / map.columns;
    double worst = 0, largest = 0;
    for (int row = 3; row < map.rows; row += 25)
      for (int column = 5; column < map.columns; column += 25) {
        const double y[2] = {map.low_x + (column + 0.5) * cell, map.low_y + (row + 0.5) * cell};
        const double exact =
            mean_shift_cases::brute_sum(*trial.data, y, kernel, 1.5).weight / double(trial.data->points);
        worst = std::max(worst, std::abs(values[std::size_t(row * map.columns + column)] - exact));
        largest = std::max(largest, exact);
      }
    EXPECT_LT(worst, 0.005 * largest) << kernel;
    while (simulation->advance({})) {
    }
    simulation->finish();
    simulation->publish();
    simulation->finish();
    const auto groups = simulation->snapshot()->share<Groups>();
    ASSERT_NE(groups, nullptr);
    EXPECT_EQ(simulation->progress().second_figure, double(groups->sizes.size()));
    const History history = simulation->history();
    ASSERT_GT(history.entries.size(), 1u);
    EXPECT_GT(history.entries.front().second_figure, history.entries.back().second_figure);
    EXPECT_GE(history.entries.back().second_figure, float(groups->sizes.size()));
  }
}

}  // namespace
}  // namespace kinescope::sim::mean_shift_cuda_test
