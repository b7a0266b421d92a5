// How far points are, after 15 iterations, from where sums in double precision move them; and what the report says
// about it.
#include <gtest/gtest.h>

#include "tests/sim/mean_shift/mean_shift_cases.hpp"

namespace kinescope::sim::mean_shift_errors_test {
namespace {

using mean_shift_cases::Rows;
using mean_shift_cases::Trial;
namespace hard = mean_shift_cases::hard;

// Errors beyond the bound come from float32: all pairs in float32 err as much, apart from chance near watersheds.
TEST(MeanShiftErrors, TheFieldIsAsGoodAsAllPairsOrWithinTheBound) {
  for (const hard::Case& c : hard::cases()) {
    const double field = hard::measured(c, Trial(c.data), "field").largest;
    const double all_pairs = field <= 1e-5 ? 0 : hard::measured(c, Trial(c.data), "tiled").largest;
    EXPECT_LE(field, std::max(1e-5, 3 * all_pairs)) << c.name;
  }
}

// There are so few points that all of them are measured.
TEST(MeanShiftErrors, TheReportTellsTheLargest) {
  for (const hard::Case& c : {hard::Case{"uniform", mean_shift_cases::uniform(600, 2), 0.5},
                              hard::Case{"two scales", hard::made(600, 1, hard::two_scales), 0.5}})
    for (const std::string method : {"tiled", "field"}) {
      Trial run(c.data, {"method=" + method, "bandwidth=" + std::to_string(c.bandwidth), "iterations=15"});
      const std::vector<std::size_t> which = mean_shift_cases::sample(600, 600);
      const Rows reference =
          mean_shift_cases::brute_force(*c.data, which, mean_shift_cases::starts(*c.data), "gaussian", c.bandwidth, 15);
      const double largest = mean_shift_cases::errors(mean_shift_cases::rows(run.finished()->result()), reference,
                                                      which, c.data->dimensions, c.bandwidth)
                                 .back();
      // The table has float32 values in the data's units; the report measures before that conversion.
      EXPECT_NEAR(hard::measured(c, Trial(c.data), method).largest, largest, 0.05 * largest + 5e-6)
          << c.name << ", " << method;
    }
}

// Points that rest need no more sums, however many iterations were asked for.
TEST(MeanShiftErrors, AreMeasuredAfterManyIterations) {
  Trial run(mean_shift_cases::gaussians(100), {"bandwidth=1", "method=tiled", "iterations=260000"});
  const auto simulation = run.finished();
  EXPECT_TRUE(simulation->progress().converged);
  for (const auto& [key, value] : simulation->report().entries) {
    if (key == "largest_error") {
      EXPECT_LT(std::get<double>(value), 1e-4);
    }
    if (key == "error_points") {
      EXPECT_GE(std::get<std::int64_t>(value), 8);
    }
  }
}

TEST(MeanShiftErrors, NothingIsMeasuredAfterALiveChange) {
  Trial run(mean_shift_cases::gaussians(500), {"bandwidth=1", "iterations=5", "on_change=go-on"});
  const auto simulation = run.finished();
  simulation->set("bandwidth", "2");
  while (simulation->advance({})) {
  }
  for (const auto& [key, value] : simulation->report().entries) {
    if (key == "largest_error") {
      EXPECT_TRUE(std::isnan(std::get<double>(value)));
    }
    if (key == "error_points") {
      EXPECT_EQ(std::get<std::int64_t>(value), 0);
    }
  }
}

}  // namespace
}  // namespace kinescope::sim::mean_shift_errors_test
