// Comparing recordings of frame times: intervals against NumPy, and how often they are wrong.
#include <cstdint>
#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

#include "app/io/timings/compare_timings.hpp"
#include "kinescope/error.hpp"

namespace kinescope::app::timings_test {
namespace {

// Times that resemble those before them: an autoregressive series around 10 · `scale`, driven by sums of three uniform
// numbers of a linear congruential generator, which Python repeats exactly.
std::vector<double> series(std::uint32_t seed, std::size_t count, double correlation, double scale) {
  std::vector<double> times;
  double x = 0;
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
      seed = seed * 1664525u + 1013904223u;
      sum += seed * 0x1p-32;
    }
    x = correlation * x + (sum - 1.5);
    times.push_back(scale * (10 + x));
  }
  return times;
}

// Ratio, interval and length of blocks by NumPy: the method that compare_timings.hpp describes, with 5,000 resamples.
struct ByNumPy {
  std::size_t count;
  double correlation, scale, part, ratio, low, high;
  std::size_t block;
};

TEST(CompareTimings, AgreesWithNumPy) {
  constexpr ByNumPy cases[] = {{1000, 0.8, 1.0, 0.50, 0.99851, 0.97447, 1.02587, 70},
                               {1000, 0.8, 0.9, 0.50, 0.89866, 0.87800, 0.92244, 70},
                               {1200, 0.5, 1.3, 0.95, 1.29414, 1.27865, 1.31277, 20},
                               {1000, 0.0, 1.0, 0.50, 0.99935, 0.99394, 1.00615, 8}};
  for (const ByNumPy& each : cases) {
    const Ratio found = quantile_ratio(series(1, 1000, each.correlation, 1),
                                       series(2, each.count, each.correlation, each.scale), each.part);
    EXPECT_NEAR(found.value, each.ratio, 1e-5);
    EXPECT_EQ(found.block, each.block);
    const double width = each.high - each.low;
    EXPECT_NEAR(found.low, each.low, 0.08 * width);  // the resamples are others
    EXPECT_NEAR(found.high, each.high, 0.08 * width);
  }
}

// Single frames drawn at random would be wrong in nearly half of such pairs.
TEST(CompareTimings, ShowsADifferenceInOneOfTwentyEqualPairs) {
  int wrong = 0;
  constexpr int pairs = 200;
  for (std::uint32_t i = 0; i < pairs; ++i)
    wrong += quantile_ratio(series(7919 * i + 11, 600, 0.8, 1), series(104729 * i + 5, 600, 0.8, 1), 0.5).differs();
  EXPECT_GE(wrong, 3);
  EXPECT_LE(wrong, 18);
  RecordProperty("false_alarms_of_200", wrong);
}

TEST(CompareTimings, SaysWhatTheIntervalSays) {
  EXPECT_EQ(verdict({0.88, 0.85, 0.91}), "12 % less time (95 %: 9.0 … 15 %)");
  EXPECT_EQ(verdict({1.055, 1.01, 1.10}, true), "5.5 % more");
  EXPECT_EQ(verdict({2.314, 2.2, 2.4}), "2.31 times the time (95 %: 2.2 … 2.4)");
  EXPECT_EQ(verdict({0.99, 0.97, 1.02}), "no difference that these frames show (95 %: 3.0 % less … 2.0 % more)");
}

RecordedTimings recording(std::size_t count, long iterations, double scale) {
  RecordedTimings made{"finish", {}};
  for (const double ms : series(3, count, 0.5, scale))
    made.frames.push_back({.cpu_ms = ms, .frame_ms = 2 * ms, .iterations = iterations});
  return made;
}

TEST(CompareTimings, LeavesOutFramesInWhichNothingMoved) {
  RecordedTimings idle = recording(150, 1, 1);
  for (int i = 0; i < 300; ++i) idle.frames.push_back({.cpu_ms = 99, .frame_ms = 250});
  const TimingsComparison compared = compare_timings(recording(150, 1, 1), idle, "a", "b");
  EXPECT_EQ(compared.parts[0].median.value, 1);
  EXPECT_EQ(compared.overall("B's frames").find("Whole frames: no difference"), 0u);
  EXPECT_FALSE(compared.parts[2].median.known()) << "there are no times of graphics";
  EXPECT_TRUE(compare_timings(recording(150, 1, 1), recording(150, 1, 0.8), "a", "b")
                  .overall("B's frames")
                  .starts_with("B's frames take 20 % less time"));
  idle.frames.resize(99);
  EXPECT_THROW(compare_timings(idle, idle, "a", "b"), sim::Error);
}

TEST(CompareTimings, ReadsWhatWasWritten) {
  const auto path = std::filesystem::temp_directory_path() / ("kinescope-timings-" + std::to_string(getpid()) + ".csv");
  TimingsFile file(path, "query");
  file.add({.cpu_ms = 1.5, .gpu_ms = 2.25, .frame_ms = 16.75, .points = 42, .iterations = 7});
  file.finish();
  const RecordedTimings read = read_timings(path);
  std::filesystem::remove(path);
  ASSERT_EQ(read.frames.size(), 1u);
  EXPECT_EQ(read.timer, "query");
  EXPECT_EQ(read.frames[0].gpu_ms, 2.25);
  EXPECT_EQ(read.frames[0].frame_ms, 16.75);
  EXPECT_EQ(read.frames[0].points, 42u);
  EXPECT_EQ(read.frames[0].iterations, 7);
}

}  // namespace
}  // namespace kinescope::app::timings_test
