// Linear models of the shift of pixels by bins, against plain sums in double.
#include "sim/mean_shift/grids/shift_models.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "sim/core/random.hpp"
#include "sim/mean_shift/mean_shift_benchmark.hpp"
#include "tests/same_bits.hpp"
#include "tests/sim/mean_shift/mean_shift_cases.hpp"

namespace kinescope::sim::shift_models_test {
namespace {

using namespace mean_shift;
using mean_shift_cases::Trial;

// A picture's bins, and its pixels as points that move.
struct Binned {
  explicit Binned(std::size_t width, std::size_t height) {
    const auto picture = made_picture(width, height);
    for (const char* setting : {"features", "xyrgb", "bandwidth", "14", "method", "bins"}) settings.push_back(setting);
    for (std::size_t s = 0; s < settings.size(); s += 2) parameters.set(settings[s], settings[s + 1]);
    prepared = prepare(*picture, parameters);
    plan = make_plan(*picture, prepared, parameters);
    plan.cells.first = plan.bins.first.data();
    cloud = {plan.bins.x.data(), plan.bins.stride, plan.bins.count, plan.bins.weight.data()};
    y = prepared.raw;
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] *= static_cast<float>(plan.scale[i / static_cast<std::size_t>(prepared.stride)]);
    weight.assign(prepared.points, 0);
  }

  Shifted shifted() { return {y.data(), weight.data(), prepared.stride, &run, true}; }

  // ΣK, the shift and its derivative at a place, one bin after the other.
  double sums(const float* at, std::array<double, 5>& shift, std::array<std::array<double, 5>, 5>& slope) const {
    double total = 0;
    std::array<std::array<double, 5>, 5> second{};
    shift = {};
    plan.cells.near(at, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t j = begin; j < end; ++j) {
        double way[5], square = 0;
        for (int c = 0; c < 5; ++c) way[c] = double(cloud.x[c * cloud.stride + j]) - at[c], square += way[c] * way[c];
        const double w = cloud.weight[j] * std::exp2(-square);
        total += w;
        for (std::size_t c = 0; c < 5; ++c) {
          shift[c] += w * way[c];
          for (std::size_t e = 0; e < 5; ++e) second[c][e] += w * way[c] * way[e];
        }
      }
    });
    for (double& each : shift) each /= total;
    for (std::size_t c = 0; c < 5; ++c)
      for (std::size_t e = 0; e < 5; ++e)
        slope[c][e] = 2 * std::log(2) * (second[c][e] / total - shift[c] * shift[e]) - (c == e ? 1 : 0);
    return total;
  }

  std::vector<std::string> settings;
  MeanShiftParameters parameters;
  Prepared prepared;
  Plan plan;
  Cloud cloud;
  RunState run;
  std::vector<float> y, weight;
};

TEST(ShiftModels, AModelIsTheShiftAndItsDerivative) {
  const Binned binned(96, 64);
  for (std::uint64_t k = 0; k < 200; ++k) {
    const auto i = static_cast<std::size_t>(Random(3, 1).uniform(k) * float(binned.prepared.points));
    float at[5];
    for (std::size_t c = 0; c < 5; ++c) at[c] = binned.y[c * std::size_t(binned.prepared.stride) + i] + 0.1f;
    std::array<double, 5> shift;
    std::array<std::array<double, 5>, 5> slope;
    const double total = binned.sums(at, shift, slope);
    const ShiftModel model = model_at(binned.cloud, binned.plan.cells, at);
    ASSERT_NEAR(model.weight, total, 1e-4 * total);
    for (std::size_t c = 0, place = 0; c < 5; ++c) {
      ASSERT_NEAR(model.shift[c], shift[c], 1e-4) << i;
      for (std::size_t e = 0; e <= c; ++e) ASSERT_NEAR(model.slope[place++], slope[c][e], 1e-3) << i << ", " << c << e;
    }
    float from[5], by[5];
    for (std::size_t c = 0; c < 5; ++c) from[c] = Random(4, 1).uniform(5 * k + c) - 0.5f;
    shift_by_model(model, from, by);
    for (std::size_t c = 0; c < 5; ++c) {
      double expected = shift[c];
      for (std::size_t e = 0; e < 5; ++e) expected += slope[c][e] * from[e];
      ASSERT_NEAR(by[c], expected, 2e-3);
    }
  }
}

// Each pixel's first shift, in bandwidths, against sums in double over all bins around it.
TEST(ShiftModels, PixelsShiftAsByTheBins) {
  Binned binned(320, 200);
  ShiftModels models;
  models.begin(binned.prepared, binned.plan);
  const auto count = static_cast<std::int64_t>(binned.prepared.points);
  models.find(binned.cloud, binned.plan.cells, binned.shifted(), count);
  EXPECT_LT(models.size(), 2 * count / 3);
  std::vector<double> errors;
  std::size_t slow = 0;
  for (std::int64_t i = 0; i < count; i += 7) {
    float at[5];
    binned.shifted().read<5>(i, at);
    std::array<double, 5> shift;
    std::array<std::array<double, 5>, 5> slope;
    binned.sums(at, shift, slope);
    const ShiftModels::Shift& found = *models.shift(i);
    double square = 0, length = 0;
    for (std::size_t c = 0; c < 5; ++c) square += std::pow(found.by[c] - shift[c], 2), length += shift[c] * shift[c];
    if (found.weight < 0) {
      ++slow;
      ASSERT_LT(std::sqrt(length), 0.1 * gaussian_bandwidth) << i;  // only slow pixels are left to the bins
    } else {
      errors.push_back(std::sqrt(square) / gaussian_bandwidth);
    }
  }
  std::sort(errors.begin(), errors.end());
  std::printf("models: median %.2g, 99 %% %.2g, largest %.2g bandwidths; by bins %zu of %zu\n",
              errors[errors.size() / 2], errors[errors.size() * 99 / 100], errors.back(), slow, slow + errors.size());
  EXPECT_LE(errors[errors.size() / 2], 0.02);
  EXPECT_LE(errors[errors.size() * 99 / 100], 0.1);
}

TEST(ShiftModels, SameBytesForAnyNumberOfThreadsAndAnyBudget) {
  Trial run(made_picture(160, 120), {"bandwidth=14", "features=xyrgb"});
  run.setup.threads = 1;
  const Table first = run.finished()->result();
  for (const int threads : {2, 7}) {
    run.setup.threads = threads;
    const auto simulation = run.make();
    while (simulation->advance({1e-3, 3})) {
    }
    const Table other = simulation->result();
    for (std::size_t c = 0; c < first.columns.size(); ++c)
      EXPECT_TRUE(same_bits(first.columns[c].numbers, other.columns[c].numbers)) << threads << " threads, column " << c;
  }
}

}  // namespace
}  // namespace kinescope::sim::shift_models_test
