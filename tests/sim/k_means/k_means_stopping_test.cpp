// When a run of k-means on the CPU ends, and that it ends at the right place.
#include <gtest/gtest.h>

#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::k_means_stopping_test {
namespace {

using namespace k_means_cases;

// The sum of the centroids' squared movements in iteration t, counted from 1.
double movement(const CentroidPaths& paths, std::size_t t) {
  double square = 0;
  for (std::size_t at = 0; at < paths.row(t).size(); ++at)
    square += std::pow(double(paths.row(t)[at]) - paths.row(t - 1)[at], 2);
  return square;
}

double mean_variance(const Dataset& data) {
  double sum = 0;
  const double n = static_cast<double>(data.points);
  for (std::size_t c = 0; c < data.dimensions; ++c) {
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < data.points; ++i) mean += data.values()[i * data.dimensions + c] / n;
    for (std::size_t i = 0; i < data.points; ++i)
      square += std::pow(data.values()[i * data.dimensions + c] - mean, 2) / n;
    sum += square;
  }
  return sum / static_cast<double>(data.dimensions);
}

TEST(KMeans, StopsOnceMovementsAreSmall) {
  const auto data = uniform(3000, 2);
  const StartFile start(*data, 7);
  const double variance = mean_variance(*data);
  for (const char* tolerance : {"1e-4", "1e-2", "0"}) {
    const auto simulation =
        Trial(data, {"clusters=7", start.assignment(), std::string("tolerance=") + tolerance, "iterations=1000"})
            .finished();
    const CentroidPaths paths = paths_of(*simulation);
    ASSERT_EQ(static_cast<long>(paths.rows()), simulation->progress().iteration + 1);
    EXPECT_FALSE(simulation->progress().cut);
    const std::size_t last = paths.rows() - 1;
    ASSERT_GE(last, 2u);
    for (std::size_t t = 1; t <= last; ++t)
      EXPECT_EQ(movement(paths, t) <= std::stod(tolerance) * variance, t == last) << tolerance << ", " << t;
  }
}

TEST(KMeans, StopsByThePublishedRule) {
  const auto data = uniform(3000, 2);
  const StartFile start(*data, 7);
  const auto simulation =
      Trial(data, {"clusters=7", start.assignment(), "stop=paper", "tolerance=0", "iterations=1000"}).finished();
  const CentroidPaths paths = paths_of(*simulation);
  const std::size_t last = paths.rows() - 1;
  ASSERT_GE(last, 2u);
  for (std::size_t t = 2; t <= last; ++t)
    EXPECT_EQ(movement(paths, t) <= 0.001 * movement(paths, t - 1), t == last) << t;
}

TEST(KMeans, MakesAllIterationsIfAsked) {
  const auto simulation = Trial(uniform(300, 2), {"clusters=3", "stop=iterations"}).finished();
  EXPECT_EQ(simulation->progress().iteration, 100);  // it goes on although nothing moves any more
  EXPECT_FALSE(simulation->progress().cut);          // it has converged on the way
}

// The centroids after one more iteration, in its plainest form; a cluster without points keeps its centroid.
std::vector<double> lloyds_map(const Dataset& data, const std::vector<float>& centroids) {
  const std::size_t d = data.dimensions;
  const Plain plain = plain_lloyd(data, centroids, 0);
  std::vector<double> means(centroids.size()), counts(centroids.size() / d);
  for (std::size_t i = 0; i < data.points; ++i) {
    ++counts[plain.labels[i]];
    for (std::size_t c = 0; c < d; ++c) means[plain.labels[i] * d + c] += data.values()[i * d + c];
  }
  for (std::size_t e = 0; e < means.size(); ++e)
    means[e] = counts[e / d] > 0 ? means[e] / counts[e / d] : double(centroids[e]);
  return means;
}

TEST(KMeans, WhatSaysItHasConvergedIsAtAFixedPoint) {
  int converged = 0;
  for (const auto& data : {gaussians(3000), std::shared_ptr<const Dataset>(uniform(2000, 3)),
                           std::shared_ptr<const Dataset>(cauchy(3000))}) {
    const StartFile far(far_start(*data, 8));
    for (const std::string& start : {std::string("start=plus-plus"), std::string("start=random"), far.assignment()})
      for (const std::string stop : {"tolerance", "paper", "iterations"})
        for (const std::string tolerance : {"1e-4", "0"}) {
          const auto simulation =
              Trial(data, {"clusters=8", start, "stop=" + stop, "tolerance=" + tolerance}).finished();
          if (simulation->progress().cut) continue;
          ++converged;
          const CentroidPaths paths = paths_of(*simulation);
          const std::span<const float> before = paths.row(paths.rows() - 2);
          const std::vector<double> after = lloyds_map(*data, {before.begin(), before.end()});
          double square = 0;
          for (std::size_t e = 0; e < after.size(); ++e) square += std::pow(after[e] - before[e], 2);
          const double allowed = std::stod(tolerance) * mean_variance(*data);
          const double rounding = 1e-12 * mean_variance(*data);  // by rounding centroids to float32
          EXPECT_LE(square, allowed + rounding) << start << ", stop=" << stop << ", tolerance=" << tolerance;
        }
  }
  EXPECT_GE(converged, 30);
}

TEST(KMeans, OneFarStartCentroidDoesNotEndTheRun) {
  const auto data = gaussians(3000);
  const StartFile start(far_start(*data, 8));
  const auto run = [&](std::vector<std::string> settings) {
    settings.insert(settings.end(), {"clusters=8", start.assignment()});
    return Trial(data, settings).finished();
  };
  const double least = inertia(*run(to_the_end));
  const auto usual = run({}), published = run({"stop=paper"});
  EXPECT_TRUE(usual->progress().converged && !usual->progress().cut);
  EXPECT_LE(inertia(*usual), 1.01 * least);
  EXPECT_GT(inertia(*published), 1.01 * least);  // else this start proves nothing
  EXPECT_TRUE(published->progress().cut);
}

TEST(KMeans, HeavyTailsEndAtTheRightPlace) {
  const auto data = cauchy(3000);
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const auto run = [&](std::vector<std::string> settings) {
      settings.insert(settings.end(), {"clusters=8", "start=random"});
      Trial trial(data, settings);
      trial.setup.seed = seed;
      return inertia(*trial.finished());
    };
    EXPECT_LE(run({"tolerance=1e-6"}), 1.01 * run(to_the_end)) << "seed " << seed;
  }
}

}  // namespace
}  // namespace kinescope::sim::k_means_stopping_test
