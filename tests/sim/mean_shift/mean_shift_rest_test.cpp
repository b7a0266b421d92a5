// Points that leave the work: those at rest, and pixels that follow others; and the sums of eight lanes.
#include <cmath>
#include <gtest/gtest.h>
#include <map>
#include <utility>

#include "sim/mean_shift/meetings.hpp"
#include "tests/sim/mean_shift/mean_shift_pictures.hpp"

namespace kinescope::sim::mean_shift_rest_test {
namespace {

using mean_shift_cases::Rows;
using mean_shift_cases::Trial;

// Shifts a point along one column by these steps, and returns after how many of them it rests; 0: never.
int rests_after(const std::vector<double>& steps, float begin = 0) {
  float y = begin, weight = 1, latest = 0;
  const RunState run;
  const mean_shift::Shifted shifted{&y, &weight, 1, &run, true, {1e-6f, 1e-6f, 0, &latest}};
  for (std::size_t t = 0; t < steps.size(); ++t) {
    const float at = y;
    shifted.shift<1>(0, &at, mean_shift::Sums<1>{2, {2 * steps[t]}});
    if (weight < 0) return static_cast<int>(t + 1);
  }
  return 0;
}

TEST(MeanShiftRest, APointRestsOnceWhatIsLeftOfItsWayIsShort) {
  std::vector<double> halves, creeping(1000, 9e-7), slow, growing;
  for (int t = 0; t < 40; ++t) halves.push_back(std::pow(0.5, t)), growing.push_back(1e-9 * std::pow(1.2, t));
  for (int t = 0; t < 3000; ++t) slow.push_back(1e-6 * std::pow(0.99, t));
  EXPECT_EQ(rests_after(halves), 21);  // 2^−20 is the first shift below 1e-6, and as much is left
  EXPECT_EQ(rests_after(creeping), 0);
  EXPECT_EQ(rests_after(growing), 0);
  EXPECT_NEAR(rests_after(slow), 1 - std::log(99) / std::log(0.99), 2);  // s · 0.99 / 0.01 is left
  EXPECT_EQ(rests_after({1e-9, 1e-10}), 2);                              // nothing is known after the first
  EXPECT_EQ(rests_after({1e-3}, 1e6f), 1);  // it is not moved by less than half a step of float32
}

// By all pairs in double, for as many iterations.
TEST(MeanShiftRest, ARunEndsWhereADoubleLoopEnds) {
  for (const auto& [columns, bandwidth] : {std::pair{2, 0.5}, {4, 1.0}, {6, 1.2}, {9, 1.5}, {16, 2.0}})
    for (const std::string kernel : {"gaussian", "epanechnikov", "flat"}) {
      const auto data = mean_shift_cases::gaussians(700, columns, 5);
      Trial run(data, {"kernel=" + kernel, "bandwidth=" + std::to_string(bandwidth)});
      const auto simulation = run.finished();
      ASSERT_TRUE(simulation->progress().converged);
      const std::vector<std::size_t> which = mean_shift_cases::sample(700, 700);
      const Rows reference =
          mean_shift_cases::brute_force(*data, which, mean_shift_cases::starts(*data), kernel, bandwidth,
                                        static_cast<int>(simulation->progress().iteration));
      const std::vector<double> errors = mean_shift_cases::errors(
          mean_shift_cases::rows(simulation->result()), reference, which, static_cast<std::size_t>(columns), bandwidth);
      EXPECT_LE(errors[errors.size() * (kernel == "flat" ? 97 : 99) / 100], 1e-5) << columns << " columns, " << kernel;
    }
}

// Sums lane by lane, in plain loops.
template <int K>
void expect_lanes(std::int64_t begin, std::int64_t end, bool weighted) {
  const std::int64_t stride = 704;
  std::vector<float> x(K * stride), weight(stride), y(x.begin(), x.begin() + K);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = Random(7, 1).uniform(i) - 0.5f;
  for (std::size_t i = 0; i < weight.size(); ++i) weight[i] = 1 + std::floor(9 * Random(8, 1).uniform(i));
  const mean_shift::Cloud cloud{x.data(), stride, end, weighted ? weight.data() : nullptr};
  mean_shift::LaneSums<mean_shift::Kernel::epanechnikov, K> lanes;
  lanes.add(cloud, begin, end, y.data());
  mean_shift::Sums<K> sums;
  lanes.add_to(sums);
  float total[8] = {}, moment[K][8] = {};
  for (std::int64_t j = begin; j < end; ++j) {
    float q = 0;
    for (int c = 0; c < K; ++c) q = std::fma(x[c * stride + j] - y[c], x[c * stride + j] - y[c], q);
    const float w = std::max(1 - q, 0.0f) * (weighted ? weight[j] : 1);
    total[(j - begin) % 8] += w;
    for (int c = 0; c < K; ++c) {
      float& own = moment[c][(j - begin) % 8];
      own = std::fma(w, x[c * stride + j] - y[c], own);
    }
  }
  const auto added = [](const float* v) {
    return ((double(v[0]) + v[4]) + (double(v[1]) + v[5])) + ((double(v[2]) + v[6]) + (double(v[3]) + v[7]));
  };
  EXPECT_EQ(sums.weight, added(total)) << K << " columns, " << begin << " … " << end;
  for (int c = 0; c < K; ++c) EXPECT_EQ(sums.moment[c], added(moment[c])) << K << " columns, " << begin << " … " << end;
}

TEST(MeanShiftRest, SumsOfLanesAreThoseOfPlainLoops) {
  for (const std::int64_t size : {1, 7, 8, 9, 31, 33, 40, 57, 63, 64, 65, 120, 512, 600})
    for (const bool weighted : {false, true}) {
      expect_lanes<1>(3, 3 + size, weighted);
      expect_lanes<4>(0, size, weighted);
      expect_lanes<5>(5, 5 + size, weighted);
      expect_lanes<9>(1, 1 + size, weighted);
      expect_lanes<16>(0, size, weighted);
    }
}

// Against a run in which each pixel goes its own way, because it makes an exact number of iterations.
TEST(MeanShiftRest, PixelsThatMeetEndAtTheirModes) {
  const auto picture = mean_shift_pictures::regions(60, 40);
  auto uneven = std::make_shared<Dataset>(*picture);
  for (std::size_t i = 0; i < picture->points; ++i)
    for (std::size_t c = 2; c < 5; ++c) {
      float& value = uneven->rows().values.own()[5 * i + c];
      value = std::clamp(
          std::round(value + 12 * (Random(9, 1).uniform(3 * i + c) - 0.5f) + 10 * std::sin(0.1f * float(i % 60))), 0.0f,
          255.0f);
    }
  const auto ended = [&](const char* iterations) {
    Trial run(uneven, {"features=xyrgb", "method=bins", "bandwidth=14", "space_bandwidth=8"});
    run.parameters.set("iterations", iterations);
    return run.finished()->result();
  };
  const Table alone = ended("2000"), met = ended("0");
  std::map<float, std::map<float, std::size_t>> both;
  for (std::size_t i = 0; i < alone.rows; ++i) ++both[alone.columns[5].numbers[i]][met.columns[5].numbers[i]];
  const std::vector<double> apart = mean_shift_cases::pixels_apart(alone, met, 8, 14);
  std::printf("modes apart: median %.2g, 95 %% %.2g bandwidths\n", apart[apart.size() / 2],
              apart[apart.size() * 95 / 100]);
  EXPECT_LE(apart[apart.size() / 2], 0.05);
  std::size_t same = 0;
  for (const auto& [cluster, others] : both) {
    std::size_t most = 0;
    for (const auto& [other, count] : others) most = std::max(most, count);
    same += most;
  }
  EXPECT_GT(both.size(), 1u);
  EXPECT_GE(double(same), 0.97 * double(alone.rows));
}

}  // namespace
}  // namespace kinescope::sim::mean_shift_rest_test
