// What must hold for mean shift on the CPU.
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <set>

#include "kinescope/error.hpp"
#include "sim/mean_shift/labels.hpp"
#include "tests/places.hpp"
#include "tests/same_bits.hpp"
#include "tests/sim/mean_shift/mean_shift_cases.hpp"

namespace kinescope::sim::mean_shift_test {
namespace {

using mean_shift_cases::Rows;
using mean_shift_cases::Trial;

struct Case {
  const char* name;
  std::shared_ptr<const Dataset> data;
  double bandwidth;
};

// Data of n points or somewhat fewer. (The far outliers always have 4,000: float32 can hold their places only with that
// median.)
std::vector<Case> all_cases(std::size_t n) {
  return {{"paper", mean_shift_cases::gaussians(n), 1.5},
          {"paper, narrow", mean_shift_cases::gaussians(n), 0.4},
          {"uniform", mean_shift_cases::uniform(n, 2), 0.8},
          {"uniform 3-D", mean_shift_cases::uniform(n, 3), 1.5},
          {"uniform 1-D", mean_shift_cases::uniform(3 * n / 4, 1), 0.5},
          {"duplicates", mean_shift_cases::duplicates(9 * (n / 10)), 0.6},
          {"line", mean_shift_cases::line(3 * n / 4), 0.7},
          {"outliers", mean_shift_cases::outliers(n, 60), 1.0},
          {"far outliers", mean_shift_cases::outliers(4000, 1e5f), 1.0},
          {"3-D clusters", mean_shift_cases::gaussians(n, 3, 8), 1.0}};
}

std::vector<std::string> settings(const std::string& method, double bandwidth, const std::string& kernel = "gaussian") {
  return {"method=" + method, "kernel=" + kernel, "bandwidth=" + std::to_string(bandwidth), "iterations=15"};
}

void expect_brute_force(const Case& c, const std::vector<std::string>& methods) {
  const std::vector<std::size_t> which = mean_shift_cases::sample(c.data->points, 500);
  const Rows reference =
      mean_shift_cases::brute_force(*c.data, which, mean_shift_cases::starts(*c.data), "gaussian", c.bandwidth, 15);
  for (const std::string& method : methods) {
    Trial run(c.data, settings(method, c.bandwidth));
    const auto simulation = run.finished();
    EXPECT_EQ(simulation->progress().iteration, 15);
    const auto errors = mean_shift_cases::errors(mean_shift_cases::rows(simulation->result()), reference, which,
                                                 c.data->dimensions, c.bandwidth);
    const double bound = method == "naive" || method == "tiled" ? 1e-4 : 1e-5;
    std::printf("%-14s %-6s 99.9 %%: %.2g, largest: %.2g\n", c.name, method.c_str(),
                mean_shift_cases::nearly_all(errors), errors.back());
    EXPECT_LE(mean_shift_cases::nearly_all(errors), bound) << c.name << ", " << method;
  }
}

TEST(MeanShift, NoTwoColumnsOfAnOutputHaveOneName) {
  const auto data = std::make_shared<Dataset>(*mean_shift_cases::uniform(200, 4));
  data->value_names = {"x", "cluster", "size", "density"};
  const auto simulation = Trial(data, {"bandwidth=1"}).finished();
  const auto names = [&](const Table& table) {
    std::vector<std::string> found;
    for (const Column& column : table.columns) found.push_back(column.name);
    return found;
  };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names(simulation->table("out")), (Names{"x", "cluster_1", "size", "density", "cluster"}));
  EXPECT_EQ(names(simulation->table("centroids")),
            (Names{"cluster", "size", "density", "x", "cluster_4", "size_5", "density_6"}));
}

// The naive method is a plain loop over all points, whatever their number, so half as many points test it as well.
TEST(MeanShift, EveryMethodAgreesWithBruteForce) {
  for (const Case& c : all_cases(4000)) expect_brute_force(c, {"tiled", "grid", "field", "auto"});
  for (const Case& c : all_cases(2000)) expect_brute_force(c, {"naive"});
}

TEST(MeanShift, ErrorBoundsAreKept) {
  const auto data = mean_shift_cases::gaussians(4000);
  const std::vector<std::size_t> which = mean_shift_cases::sample(data->points, 1500);
  const Rows reference =
      mean_shift_cases::brute_force(*data, which, mean_shift_cases::starts(*data), "gaussian", 1.5, 15);
  for (const double bound : {2e-6, 1e-5, 1e-4, 1e-3, 1e-2})
    for (const std::string method : {"grid", "field"}) {
      Trial run(data, settings(method, 1.5));
      run.parameters.error_bound.assign_clamped(bound);
      const auto errors =
          mean_shift_cases::errors(mean_shift_cases::rows(run.finished()->result()), reference, which, 2, 1.5);
      std::printf("bound %.0e %-5s: %.2g\n", bound, method.c_str(), mean_shift_cases::nearly_all(errors));
      EXPECT_LE(mean_shift_cases::nearly_all(errors), bound) << method;
    }
}

TEST(MeanShift, OtherKernelsAgreeWithBruteForce) {
  for (const std::string kernel : {"epanechnikov", "flat"})
    for (const auto& data :
         {mean_shift_cases::gaussians(3000), std::shared_ptr<const Dataset>(mean_shift_cases::uniform(2000, 3))}) {
      const std::vector<std::size_t> which = mean_shift_cases::sample(data->points, 1000);
      const double bandwidth = 1.5;
      const Rows reference =
          mean_shift_cases::brute_force(*data, which, mean_shift_cases::starts(*data), kernel, bandwidth, 15);
      for (const std::string method : {"naive", "tiled", "grid", "field", "auto"}) {
        Trial run(data, settings(method, bandwidth, kernel));
        const auto errors = mean_shift_cases::errors(mean_shift_cases::rows(run.finished()->result()), reference, which,
                                                     data->dimensions, bandwidth);
        // A flat kernel jumps at its edge: rounding may put a neighbour at the very edge in or out, and the point then
        // moves elsewhere.
        EXPECT_LE(errors[errors.size() * (kernel == "flat" ? 97 : 99) / 100], 1e-4) << kernel << ", " << method;
      }
    }
}

TEST(MeanShift, AnyNumberOfColumns) {
  for (int k = 1; k <= 16; ++k) {
    const auto data = mean_shift_cases::gaussians(1200, k, 4);
    const double bandwidth = 1.5;
    const std::vector<std::size_t> which = mean_shift_cases::sample(data->points, 400);
    const Rows reference =
        mean_shift_cases::brute_force(*data, which, mean_shift_cases::starts(*data), "gaussian", bandwidth, 15);
    for (const std::string method : {"naive", "tiled", "grid", "auto"}) {
      Trial run(data, settings(method, bandwidth));
      Rows found = mean_shift_cases::rows(run.finished()->result());
      for (std::size_t i = 0; i < found.size(); ++i) found[i] -= data->origin_of(i % data->dimensions);
      const auto errors = mean_shift_cases::errors(found, reference, which, data->dimensions, bandwidth);
      EXPECT_LE(mean_shift_cases::nearly_all(errors), 1e-4) << k << " columns, " << method;
    }
  }
}

// Mean shift with weights K climbs the density of K's shadow, the kernel whose derivative in u² is −K (Y. Cheng, 1995):
// the gaussian's is the gaussian, the epanechnikov kernel's the biweight (1 − u²)², the flat kernel's the epanechnikov
// kernel.
TEST(MeanShift, DensityNeverFalls) {
  for (const auto& [kernel, shadow] : {std::pair<std::string, std::string>{"gaussian", "gaussian"},
                                       {"epanechnikov", "biweight"},
                                       {"flat", "epanechnikov"}})
    for (const std::string method : {"tiled", "grid", "field"}) {
      const auto data = mean_shift_cases::gaussians(3000);
      Trial run(data, {"method=" + method, "kernel=" + kernel, "bandwidth=1", "tolerance=1e-4"});
      const auto simulation = run.make();
      const std::vector<std::size_t> which = mean_shift_cases::sample(data->points, 100);
      std::vector<double> before(which.size(), 0);
      bool more = true;
      for (int t = 0; more && t < 40; ++t) {
        const Rows y = mean_shift_cases::rows(simulation->result());
        for (std::size_t s = 0; s < which.size(); ++s) {
          const double density = mean_shift_cases::brute_sum(*data, y.data() + which[s] * 2, shadow, 1.0).weight;
          ASSERT_GE(density, before[s] * (1 - 1e-5)) << method << ", point " << which[s] << ", iteration " << t;
          before[s] = density;
        }
        more = simulation->advance({std::numeric_limits<double>::infinity(), 1});
      }
    }
}

TEST(MeanShift, SameBytesForAnyNumberOfThreadsAndAnyBudget) {
  for (const std::string method : {"naive", "tiled", "grid", "field"}) {
    Trial run(mean_shift_cases::gaussians(5000), {"method=" + method, "bandwidth=0.8", "iterations=8"});
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

TEST(MeanShift, FindsThePapersClusters) {
  for (const char* bandwidth : {"bandwidth=1.5", "bandwidth=0"}) {
    Trial run(mean_shift_cases::gaussians(9000), {bandwidth, "tolerance=1e-4"});
    const auto simulation = run.finished();
    EXPECT_TRUE(simulation->progress().converged);
    EXPECT_LT(simulation->progress().figure, 1e-4);
    const Table centroids = mean_shift_cases::centroids(*simulation);
    ASSERT_EQ(centroids.rows, 3u) << bandwidth;
    double total = 0;
    std::set<int> found;
    for (std::size_t k = 0; k < 3; ++k) {
      total += centroids.columns[1].numbers[k];
      if (k > 0) {
        EXPECT_LE(centroids.columns[1].numbers[k], centroids.columns[1].numbers[k - 1]);
      }
      const double y[] = {centroids.columns[3].numbers[k], centroids.columns[4].numbers[k]};
      const double means[3][2] = {{3, 3}, {15, 17}, {10.5, 0}};
      for (int m = 0; m < 3; ++m)
        if (std::hypot(y[0] - means[m][0], y[1] - means[m][1]) < 0.4) found.insert(m);
      if (std::string(bandwidth) == "bandwidth=1.5") {
        EXPECT_NEAR(centroids.columns[2].numbers[k],
                    mean_shift_cases::brute_sum(*run.data, y, "gaussian", 1.5).weight / 9000, 1e-5);
      }
    }
    EXPECT_EQ(total, 9000);
    EXPECT_EQ(found.size(), 3u);
  }
}

// The labels come from tests/data/mean_shift_reference.py.
TEST(MeanShift, FlatKernelAgreesWithScikitLearn) {
  const auto data = load_dataset({tests::project_file("tests/data/mean_shift_reference.csv")});
  const std::vector<float> reference(data->labels.begin(), data->labels.end());
  ASSERT_EQ(data->dimensions, 3u);
  ASSERT_EQ(data->label_names.size(), 6u);
  for (const std::string method : {"naive", "tiled", "grid", "auto"}) {
    Trial run(data, {"kernel=flat", "method=" + method, "bandwidth=2.5"});
    const Table table = run.finished()->result();
    EXPECT_GE(mean_shift_cases::adjusted_rand_index(table.find("cluster")->numbers.floats(), reference), 0.99)
        << method;
  }
}

TEST(MeanShift, LabelsJoinTransitivelyAndExactly) {
  // The labels of random points are compared with single linkage over all pairs.
  for (const int k : {1, 2, 3, 5}) {
    const std::size_t n = 700;
    std::vector<float> y(n * static_cast<std::size_t>(k));
    for (std::size_t i = 0; i < y.size(); ++i)
      y[i] = std::floor(500 * Random(4, 1).uniform(i)) * (k == 1 ? 1.0f : k == 2 ? 0.1f : 0.02f);
    std::vector<float> weights(n);
    for (std::size_t i = 0; i < n; ++i) weights[i] = Random(5, 1).uniform(i);
    const double radius = k == 1 ? 1.5 : k == 2 ? 1.23 : k == 3 ? 0.77 : 2.1;
    const auto found = mean_shift::label_modes(y, n, n, k, weights, radius);
    std::vector<std::size_t> group(n);
    for (std::size_t i = 0; i < n; ++i) group[i] = i;
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < a; ++b) {
          double square = 0;
          for (std::size_t c = 0; c < static_cast<std::size_t>(k); ++c)
            square += std::pow(double(y[c * n + a]) - y[c * n + b], 2);
          if (square <= radius * radius && group[a] != group[b])
            group[a] = group[b] = std::min(group[a], group[b]), changed = true;
        }
    }
    std::vector<float> expected(group.begin(), group.end()), labels(found.cluster.begin(), found.cluster.end());
    EXPECT_EQ(mean_shift_cases::adjusted_rand_index(expected, labels), 1.0) << k;
    EXPECT_EQ(std::set<std::size_t>(group.begin(), group.end()).size(), found.sizes.size());
    EXPECT_GT(found.sizes.size(), 1u);
    EXPECT_TRUE(std::is_sorted(found.sizes.rbegin(), found.sizes.rend()));
  }
}

// Whatever column the modes lie along, and also if they are a thick cloud, joining them is not the square of their
// number.
TEST(MeanShift, JoiningManyModesTakesAboutTheirNumber) {
  const std::size_t n = 40'000, k = 4;
  const std::vector<float> weights(n, 1.0f);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t along = 0; along <= k; ++along) {
    std::vector<float> y(n * k);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] = (along == k ? 1.0f : 0.1f) * Random(6, 1).uniform(i);
    for (std::size_t i = 0; i < n && along < k; ++i) y[along * n + i] = 10 * float(i);
    EXPECT_EQ(mean_shift::label_modes(y, n, n, int(k), weights, along == k ? 0.5 : 1).sizes.size(), along == k ? 1 : n);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));  // 10 s for each, before
}

TEST(MeanShift, LiveBandwidthGoesOnWithoutNaN) {
  for (const std::string method : {"naive", "tiled", "grid", "field", "auto"}) {
    const auto data = mean_shift_cases::outliers(2000, 40);
    Trial run(data, {"method=" + method, "bandwidth=30", "iterations=10", "on_change=go-on"});
    const auto simulation = run.finished();
    const Rows between = mean_shift_cases::rows(simulation->result());
    simulation->set("bandwidth", "0.02");  // most modes are now far from all points: their weights underflow
    EXPECT_FALSE(simulation->progress().converged);
    while (simulation->advance({})) {
    }
    EXPECT_EQ(simulation->progress().iteration, 20);
    const Rows after = mean_shift_cases::rows(simulation->result());
    for (const double value : after) ASSERT_TRUE(std::isfinite(value)) << method;
    simulation->set("bandwidth", "1.5");
    while (simulation->advance({})) {
    }
    const std::vector<std::size_t> which = mean_shift_cases::sample(data->points, 500);
    const Rows reference = mean_shift_cases::brute_force(*data, which, after, "gaussian", 1.5, 10);
    const auto errors =
        mean_shift_cases::errors(mean_shift_cases::rows(simulation->result()), reference, which, 2, 1.5);
    EXPECT_LE(errors[errors.size() * 98 / 100], 1e-4) << method;
    const History history = simulation->history();
    EXPECT_EQ(history.entries.size(), 30u);
  }
}

TEST(MeanShift, DegenerateInput) {
  const std::vector<std::shared_ptr<Dataset>> all = {
      mean_shift_cases::points(3, {1, 2, 3}), mean_shift_cases::points(2, std::vector<float>(2000, 4.0f)),
      mean_shift_cases::points(1, {1, 5}), mean_shift_cases::points(2, {0, 0, 1e30f, 0, 0, 1e30f, -1e30f, 5}),
      mean_shift_cases::points(1, std::vector<float>(5000, -1e-20f))};
  for (const auto& data : all)
    for (const std::string kernel : {"gaussian", "epanechnikov", "flat"})
      for (const std::string method : {"auto", "naive", "tiled", "grid", "field"}) {
        Trial run(data, {"method=" + method, "kernel=" + kernel});
        const auto simulation = run.finished();
        EXPECT_TRUE(simulation->progress().converged);
        for (const double value : mean_shift_cases::rows(simulation->result())) EXPECT_TRUE(std::isfinite(value));
        EXPECT_GE(mean_shift_cases::centroids(*simulation).rows, 1u);
      }
  Trial wide(mean_shift_cases::uniform(100, 2), {"bandwidth=1e6"});
  EXPECT_EQ(mean_shift_cases::centroids(*wide.finished()).rows, 1u);
}

TEST(MeanShift, BadInputIsOneClearLine) {
  MeanShiftParameters parameters;
  EXPECT_THROW(parameters.set("bandwidth=-1"), Error);
  Trial many(mean_shift_cases::uniform(10, 17));
  EXPECT_THROW(many.make(), Error);
  Trial tiny(mean_shift_cases::uniform(100, 2, 1e10f), {"bandwidth=1e-20"});
  EXPECT_THROW(tiny.make(), Error);
}

TEST(MeanShift, PixelsByColourOrByPlaceToo) {
  // A picture whose four quarters have two colours: two clusters by colour, four by colour and place.
  std::vector<float> values;
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x) {
      const bool red = (x < 20) == (y < 20);
      for (const float value : {float(x), float(y), red ? 200.0f : 20.0f, 30.0f, red ? 10.0f : 220.0f})
        values.push_back(value);
    }
  const auto data = mean_shift_cases::points(5, values);
  data->value_names = {"x", "y", "r", "g", "b"};
  data->picture = {40, 40};
  Trial colours(data, {"bandwidth=12"}), places(data, {"bandwidth=12", "features=xyrgb", "space_bandwidth=6"});
  const auto simulation = colours.finished();
  EXPECT_EQ(mean_shift_cases::centroids(*simulation).rows, 2u);
  const Table table = simulation->result();
  EXPECT_EQ(table.columns.size(), 6u);
  for (std::size_t i = 0; i < table.rows; ++i)
    ASSERT_EQ(table.columns[0].numbers[i], values[i * 5]);  // pixels keep their places
  EXPECT_EQ(mean_shift_cases::centroids(*places.finished()).rows, 4u);
}

TEST(MeanShift, ManyPointsInThreeColumns) {  // so many that the field's points are sorted
  const auto data = mean_shift_cases::gaussians(150'000, 3, 8);
  const std::vector<std::size_t> which = mean_shift_cases::sample(data->points, 30);
  const Rows reference =
      mean_shift_cases::brute_force(*data, which, mean_shift_cases::starts(*data), "gaussian", 1.0, 15);
  Trial run(data, settings("auto", 1.0));
  const auto simulation = run.finished();
  EXPECT_LE(mean_shift_cases::errors(mean_shift_cases::rows(simulation->result()), reference, which, 3, 1.0).back(),
            1e-5);
  for (const HistoryPoint& point : [&] {
         const History history = simulation->history();
         return history.entries;
       }())
    EXPECT_TRUE(std::isfinite(point.figure));
}

}  // namespace
}  // namespace kinescope::sim::mean_shift_test
