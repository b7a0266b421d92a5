// Tests of mixtures of Gaussians: against the formulas in double, and what bad data do to them.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "kinescope/error.hpp"
#include "sim/k_means/mixture/gaussians.hpp"
#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::mixture_test {
namespace {

using namespace k_means_cases;

using Trial = TrialOf<KMeansParameters, k_means_kind>;

template <class T>
T reported(Simulation& simulation, const std::string& key) {
  for (const auto& [name, value] : simulation.report().entries)
    if (name == key) return std::get<T>(value);
  return T{};
}
double numbers_of(const Report& report, const std::string& key, std::size_t at) {
  for (const auto& [name, value] : report.entries)
    if (name == key) return std::get<std::vector<double>>(value)[at];
  return NAN;
}

// EM on two columns, as in a textbook. It begins with the labels of k-means, and adds the ridge of gaussians.hpp.
struct PlainMixture {
  const Dataset& data;
  std::size_t K;
  bool full;
  std::vector<double> shares, weight, mean, covariance;  // [N × K], [K], [K × 2], [K × 4]
  double likelihood = 0;

  PlainMixture(const Dataset& input, std::size_t clusters, bool any, const Table& labels)
      : data(input), K(clusters), full(any), weight(K), mean(2 * K), covariance(4 * K) {
    shares.resize(data.points * K);
    for (std::size_t i = 0; i < data.points; ++i)
      shares[i * K + static_cast<std::size_t>(labels.columns[0].numbers[i])] = 1;
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = 0, square = 0;
      for (std::size_t i = 0; i < data.points; ++i) sum += x(i, c);
      for (std::size_t i = 0; i < data.points; ++i) square += std::pow(x(i, c) - sum / double(data.points), 2);
      ridge[c] = 1e-6 * square / double(data.points);
    }
  }
  double x(std::size_t i, std::size_t c) const { return double(data.values()[2 * i + c]); }
  void step() {
    for (std::size_t k = 0; k < K; ++k) {
      double n = 0, m[2] = {}, s[4] = {};
      for (std::size_t i = 0; i < data.points; ++i) {
        n += shares[i * K + k];
        for (std::size_t c = 0; c < 2; ++c) m[c] += shares[i * K + k] * x(i, c);
      }
      for (double& each : m) each /= n;
      for (std::size_t i = 0; i < data.points; ++i)
        for (std::size_t c = 0; c < 4; ++c)
          s[c] += shares[i * K + k] * (x(i, c / 2) - m[c / 2]) * (x(i, c % 2) - m[c % 2]);
      weight[k] = n / double(data.points);
      for (std::size_t c = 0; c < 2; ++c) mean[2 * k + c] = m[c];
      for (std::size_t c = 0; c < 4; ++c)
        covariance[4 * k + c] = c == 0 || c == 3 ? s[c] / n + ridge[c / 2] : full ? s[c] / n : 0;
    }
    likelihood = 0;
    for (std::size_t i = 0; i < data.points; ++i) {
      double sum = 0;
      for (std::size_t k = 0; k < K; ++k) {
        const double* s = covariance.data() + 4 * k;
        const double det = s[0] * s[3] - s[1] * s[2], u = x(i, 0) - mean[2 * k], v = x(i, 1) - mean[2 * k + 1];
        const double square = (s[3] * u * u - 2 * s[1] * u * v + s[0] * v * v) / det;
        sum += shares[i * K + k] = weight[k] * std::exp(-0.5 * square) / (2 * std::numbers::pi * std::sqrt(det));
      }
      for (std::size_t k = 0; k < K; ++k) shares[i * K + k] /= sum;
      likelihood += std::log(sum);
    }
  }

  double ridge[2];
};

TEST(Mixture, EachStepIsThatOfTheFormulasInDouble) {
  for (const char* covariance : {"covariance=full", "covariance=diagonal"}) {
    const auto data = gaussians(1'500, 2, 3);
    Trial clusters(data, {"clusters=4"});
    PlainMixture plain(*data, 4, std::string(covariance) == "covariance=full", clusters.finished()->result());
    int done = 0;
    for (const int steps : {1, 2, 7, 25}) {
      Trial trial(
          data, {"model=mixture", covariance, "clusters=4", "stop=iterations", "iterations=" + std::to_string(steps)});
      const auto run = trial.finished();
      for (; done < steps; ++done) plain.step();
      EXPECT_NEAR(reported<double>(*run, "log_likelihood"), plain.likelihood, 1e-8 * std::abs(plain.likelihood));
      const auto found = reported<std::vector<Report>>(*run, "gaussians");
      ASSERT_EQ(found.size(), 4u);
      double least = INFINITY;  // the largest Gaussian is first; its mean is one of the plain ones
      for (std::size_t k = 0; k < 4; ++k)
        least = std::min(least, std::hypot(numbers_of(found[0], "mean", 0) - plain.mean[2 * k],
                                           numbers_of(found[0], "mean", 1) - plain.mean[2 * k + 1]));
      EXPECT_LT(least, 1e-6) << covariance << ", " << steps;
    }
  }
}

TEST(Mixture, TheLikelihoodNeverFalls) {
  Trial trial(gaussians(2'000, 3, 4, 7), {"model=mixture", "clusters=6", "tolerance=0", "iterations=200"});
  const auto run = trial.finished();
  const History history = run->history();
  ASSERT_GT(history.entries.size(), 3u);
  for (std::size_t i = 1; i < history.entries.size(); ++i)
    EXPECT_GE(history.entries[i].figure, history.entries[i - 1].figure - 1e-6f) << i;
}

// The criteria of one Gaussian follow from the covariance alone.
TEST(Mixture, OneGaussianHasTheDatasMeanAndCovariance) {
  const auto data = uniform(1'000, 2);
  const auto run = Trial(data, {"model=mixture", "clusters=1"}).finished();
  const auto found = reported<std::vector<Report>>(*run, "gaussians");
  ASSERT_EQ(found.size(), 1u);
  double mean[2] = {}, s[3] = {};
  for (std::size_t i = 0; i < 1'000; ++i)
    for (std::size_t c = 0; c < 2; ++c) mean[c] += double(data->values()[2 * i + c]) / 1'000;
  for (std::size_t i = 0; i < 1'000; ++i) {
    const double u = double(data->values()[2 * i]) - mean[0], v = double(data->values()[2 * i + 1]) - mean[1];
    s[0] += u * u / 1'000, s[1] += u * v / 1'000, s[2] += v * v / 1'000;
  }
  EXPECT_NEAR(numbers_of(found[0], "mean", 0), mean[0], 1e-6);
  EXPECT_NEAR(numbers_of(found[0], "covariance", 0), s[0], 2e-6 * s[0]);
  EXPECT_NEAR(numbers_of(found[0], "covariance", 1), s[1], 1e-7);
  EXPECT_NEAR(numbers_of(found[0], "covariance", 3), s[2], 2e-6 * s[2]);
  const double likelihood = -500 * std::log(s[0] * s[2] - s[1] * s[1]) - 1'000 * (std::log(2 * std::numbers::pi) + 1);
  EXPECT_NEAR(reported<double>(*run, "log_likelihood"), likelihood, 0.01);
  EXPECT_NEAR(reported<double>(*run, "bic"), 5 * std::log(1'000) - 2 * likelihood, 0.02);
  EXPECT_NEAR(reported<double>(*run, "aic"), 10 - 2 * likelihood, 0.02);
}

// Of columns far from zero, and however they are normalized, all is in the data's units.
TEST(Mixture, FiguresAreInTheDatasUnits) {
  std::vector<float> values;
  for (std::size_t i = 0; i < 400; ++i) {
    values.push_back(1e6f * Random(5, 1).normal(i, 0));
    values.push_back(0.01f * Random(5, 1).normal(i, 1));
  }
  const auto near_zero = dataset(2, values), far = dataset(2, values);
  far->rows().origin = {1.7e18, 5};
  std::vector<double> likelihoods;
  for (const auto& data : {near_zero, far})
    for (const char* normalize : {"normalize=none", "normalize=zscore", "normalize=minmax"}) {
      const auto run = Trial(data, {"model=mixture", "clusters=1", normalize}).finished();
      const auto found = reported<std::vector<Report>>(*run, "gaussians");
      EXPECT_NEAR(numbers_of(found.at(0), "covariance", 0) / 1e12, 1, 0.2) << normalize;
      EXPECT_NEAR(numbers_of(found.at(0), "covariance", 3) / 1e-4, 1, 0.2) << normalize;
      likelihoods.push_back(reported<double>(*run, "log_likelihood"));
    }
  for (const double each : likelihoods) EXPECT_NEAR(each, likelihoods.front(), 1e-4 * std::abs(likelihoods.front()));
}

// Also a run that a limit ends: its labels, shares and likelihood are those of the Gaussians that it reports.
TEST(Mixture, AStoppedRunIsConsistent) {
  const auto data = gaussians(600, 2, 3);
  auto run = Trial(data, {"model=mixture", "clusters=4"}).make();
  while (run->progress().iteration < 1 && run->advance({.iterations = 1})) {
  }
  ASSERT_EQ(run->progress().iteration, 1);
  const auto found = reported<std::vector<Report>>(*run, "gaussians");
  double likelihood = 0;
  for (std::size_t i = 0; i < data->points; ++i) {
    double p = 0;
    for (const Report& each : found) {
      double s[4], weight = 0;
      for (std::size_t c = 0; c < 4; ++c) s[c] = numbers_of(each, "covariance", c);
      for (const auto& [name, value] : each.entries)
        if (name == "weight") weight = std::get<double>(value);
      const double u = double(data->values()[2 * i]) - numbers_of(each, "mean", 0),
                   v = double(data->values()[2 * i + 1]) - numbers_of(each, "mean", 1), det = s[0] * s[3] - s[1] * s[2];
      p += weight * std::exp(-0.5 * (s[3] * u * u - 2 * s[1] * u * v + s[0] * v * v) / det) /
           (2 * std::numbers::pi * std::sqrt(det));
    }
    likelihood += std::log(p);
  }
  EXPECT_NEAR(reported<double>(*run, "log_likelihood"), likelihood, 1e-5 * std::abs(likelihood));
}

// Full covariances of many columns: the sums of blocks take no more than 32 MB.
TEST(Mixture, SumsOfManyColumnsAreOfFewBlocks) {
  k_means::MixtureView view;
  view.points.count = 1'000'000;
  view.points.dimensions = 250;
  view.clusters = 32;
  EXPECT_LE(view.blocks() * view.clusters * view.terms(), k_means::most_sums);
  EXPECT_GE(view.blocks() * view.block_points(), view.points.count);
  view.points.dimensions = 2;
  view.clusters = 3;
  EXPECT_EQ(view.block_points(), k_means::least_block);
  EXPECT_LE(view.blocks() * view.clusters * view.terms(), k_means::most_sums);
}

TEST(Mixture, ASmallerToleranceGoesOnWhereTheRunEnded) {
  const auto data = gaussians(1'000, 2, 3);
  const Trial loose(data, {"model=mixture", "clusters=5", "tolerance=0.01"});
  auto run = Trial(loose).finished();
  const long before = run->progress().iteration;
  run->set("tolerance", "1e-6");
  EXPECT_FALSE(run->progress().converged);
  while (run->advance({})) {
  }
  EXPECT_GT(run->progress().iteration, before);
  const auto whole = Trial(data, {"model=mixture", "clusters=5", "tolerance=1e-6"}).finished();
  EXPECT_EQ(run->progress().iteration, whole->progress().iteration);
  EXPECT_EQ(reported<double>(*run, "log_likelihood"), reported<double>(*whole, "log_likelihood"));
}

TEST(Mixture, EqualRowsConstantColumnsAndFewPointsHaveFiniteGaussians) {
  std::vector<float> heaps, constant, few = {0, 0, 5, 5, 9, 1};
  for (int i = 0; i < 90; ++i) heaps.insert(heaps.end(), {float(i % 3), float(i % 3 * 2)});
  for (int i = 0; i < 90; ++i) constant.insert(constant.end(), {float(i % 7), 4.0f});
  for (const auto& values : {heaps, constant, few})
    for (const char* covariance : {"covariance=full", "covariance=diagonal"}) {
      const auto run = Trial(dataset(2, values), {"model=mixture", covariance, "clusters=3"}).finished();
      EXPECT_TRUE(std::isfinite(reported<double>(*run, "log_likelihood"))) << values.size() << covariance;
      const Table table = run->result();
      for (std::size_t i = 0; i < table.rows; ++i) {
        EXPECT_GE(table.columns[1].numbers[i], 1.0 / 3);
        EXPECT_LE(table.columns[1].numbers[i], 1 + 1e-6);
      }
    }
}

TEST(Mixture, WhatDoesNotFitIsRefusedInOneLine) {
  const auto refusal = [](std::shared_ptr<const Dataset> data, const std::vector<std::string>& assignments) {
    try {
      Trial(std::move(data), assignments).make();
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(refusal(uniform(300, 257), {"model=mixture"}).find("at most 256 columns"), std::string::npos);
  EXPECT_EQ(refusal(uniform(300, 257), {"model=mixture", "covariance=diagonal"}), "");
  EXPECT_NE(refusal(uniform(70'000, 1), {"model=mixture", "clusters=5000"}).find("points × clusters"),
            std::string::npos);
  EXPECT_NE(refusal(dataset(1, {1, 1, 2}), {"model=mixture", "clusters=3"}), "");
}

}  // namespace
}  // namespace kinescope::sim::mixture_test
