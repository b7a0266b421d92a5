// `normalize` in every simulation of points: distances over comparable columns, results in the input's units. Also:
// runs that a limit on iterations has stopped have not converged.
#include "kinescope/data/normalize.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/data/write.hpp"
#include "kinescope/glimmer/glimmer.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/k_means/k_means.hpp"
#include "kinescope/k_means/k_means_parameters.hpp"
#include "kinescope/mean_shift/mean_shift.hpp"
#include "kinescope/mean_shift/mean_shift_parameters.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/trial.hpp"

namespace kinescope::sim::normalize_cases::normalize_test {
namespace {

using MeanShiftTrial = TrialOf<MeanShiftParameters, mean_shift_kind>;
using KMeansTrial = TrialOf<KMeansParameters, k_means_kind>;
using GlimmerTrial = TrialOf<GlimmerParameters, glimmer_kind>;

// Two groups that only the first column tells apart; the second, of thousands, is the same noise in both.
std::shared_ptr<const Dataset> lopsided(std::size_t points = 400) {
  auto data = std::make_shared<Dataset>();
  data->name = "lopsided";
  data->points = points;
  data->dimensions = 2;
  data->value_names = {"small", "large"};
  for (std::size_t i = 0; i < points; ++i) {
    const double t = static_cast<double>(i * 7919 % points) / static_cast<double>(points);
    data->rows().values.own().push_back(static_cast<float>((i % 2 == 0 ? 0.0 : 1.0) + 0.05 * std::sin(40 * t)));
    data->rows().values.own().push_back(static_cast<float>(5000 + 3000 * (t - 0.5)));
  }
  return data;
}

TEST(Normalize, SparseRowsAreRefused) {
  Dataset sparse;
  sparse.name = "a.svm";
  sparse.numbers = std::make_shared<SparseRows>();
  EXPECT_EQ(input_message([&] { Scaling(sparse, Normalization::zscore); }), "a.svm: sparse rows cannot be normalized");
  EXPECT_EQ(Scaling(sparse, Normalization::none).scaled(0, 5), 5);
}

TEST(Normalize, ColumnsBecomeComparable) {
  const auto data = lopsided();
  const auto standard = Scaling(*data, Normalization::zscore).apply(data);
  const ColumnSums sums = sum_columns(*standard);
  const ColumnSums ranges = sum_columns(*Scaling(*data, Normalization::minmax).apply(data));
  for (std::size_t c = 0; c < 2; ++c) {
    EXPECT_NEAR(sums.mean[c], 0, 1e-6);
    EXPECT_NEAR(sums.deviation[c], 1, 1e-6);
    EXPECT_EQ(ranges.minimum[c], 0);
    EXPECT_EQ(ranges.maximum[c], 1);
  }
  EXPECT_EQ(Scaling(*data, Normalization::none).apply(data), data);
  const Scaling scaling(*data, Normalization::zscore);
  EXPECT_NEAR(scaling.restored(1, scaling.scaled(1, 4321)), 4321, 1e-3);
}

TEST(Normalize, MeanShiftFindsByItAndAnswersInTheInputsUnits) {
  const auto data = lopsided();
  for (const char* normalize : {"normalize=zscore", "normalize=minmax"}) {
    const double bandwidth = normalize[10] == 'z' ? 0.7 : 0.25;
    MeanShiftTrial trial(data, {normalize, "bandwidth=" + std::to_string(bandwidth), "merge_radius=1"});
    const auto run = trial.finished();
    const Table found = run->table("centroids");
    ASSERT_GE(found.rows, 2u) << normalize;
    const Table result = run->result();
    const Column &small = *result.find("small"), &large = *result.find("large");
    for (std::size_t i = 0; i < data->points; ++i) {
      EXPECT_NEAR(small.numbers[i], i % 2, 0.06) << normalize;  // it stays with its group
      EXPECT_GE(large.numbers[i], 3500) << normalize;
      EXPECT_LE(large.numbers[i], 6500) << normalize;
    }
    for (std::size_t k = 0; k < found.rows; ++k) {
      const float at = found.find("small")->numbers[k];
      EXPECT_LT(std::min(std::fabs(at), std::fabs(at - 1)), 0.06) << normalize;
    }
  }
}

TEST(Normalize, KMeansCentroidsAreMeansInTheInputsUnits) {
  const auto data = lopsided();
  KMeansTrial trial(data, {"normalize=zscore", "clusters=2"});
  const auto run = trial.finished();
  const Table result = run->result();
  const TemporaryFolder folder;
  write_output(*run, "centroids", folder.path("c.csv"));
  const Table centroids = load_table({folder.path("c.csv")});
  for (std::size_t k = 0; k < 2; ++k) {
    double sums[2] = {}, count = 0;
    for (std::size_t i = 0; i < data->points; ++i) {
      if (result.columns[0].numbers[i] != static_cast<float>(k)) continue;
      for (std::size_t c = 0; c < 2; ++c) sums[c] += data->values()[2 * i + c];
      ++count;
    }
    EXPECT_EQ(centroids.find("size")->numbers[k], count);
    EXPECT_NEAR(centroids.find("small")->numbers[k], sums[0] / count, 1e-5);
    EXPECT_NEAR(centroids.find("large")->numbers[k], sums[1] / count, 1e-2);
  }
  // The first column decides; without `normalize` it would have no influence.
  for (std::size_t i = 2; i < data->points; ++i)
    EXPECT_EQ(result.columns[0].numbers[i], result.columns[0].numbers[i % 2]);
}

TEST(Normalize, AStartOfKMeansIsInTheInputsUnits) {
  const auto data = lopsided();
  const TemporaryFolder folder;
  const std::string start = "start=" + folder.write("s.csv", "small,large\n0,5000\n1,5000\n");
  KMeansTrial trial(data, {"normalize=zscore", "clusters=2", start, "iterations=1", "tolerance=0"});
  const auto run = trial.finished();
  const Table result = run->result();
  for (std::size_t i = 2; i < data->points; ++i)
    EXPECT_EQ(result.columns[0].numbers[i], result.columns[0].numbers[i % 2]);
}

TEST(Normalize, TinyNumbersAreRefusedOrStandardized) {
  auto tiny = std::make_shared<Dataset>(*lopsided());
  for (float& value : tiny->rows().values.own()) value *= 1e-42f;
  EXPECT_NE(input_message([&] { MeanShiftTrial(tiny).make(); }).find("normalize=zscore"), std::string::npos);
  MeanShiftTrial trial(tiny, {"normalize=zscore"});
  for (const Column& column : trial.finished()->result().columns)
    for (const float value : column.numbers) EXPECT_TRUE(std::isfinite(value));
}

template <class Trial>
Progress after(const std::shared_ptr<const Dataset>& data, const std::vector<std::string>& assignments) {
  Trial trial(data, assignments);
  return trial.finished()->progress();
}

TEST(Cut, ALimitOnIterationsIsNoConvergence) {
  const auto data = lopsided();
  const auto space = load_dataset({"synthetic:gaussians,n=200,k=6,clusters=4"});  // two columns are laid out at once
  EXPECT_TRUE(after<MeanShiftTrial>(data, {"iterations=2"}).cut);
  EXPECT_FALSE(after<MeanShiftTrial>(data, {}).cut);
  EXPECT_FALSE(after<MeanShiftTrial>(data, {"iterations=2000"}).cut);  // converged long before
  EXPECT_TRUE(after<KMeansTrial>(data, {"iterations=1"}).cut);
  EXPECT_TRUE(after<KMeansTrial>(data, {"iterations=5", "tolerance=0"}).cut);
  EXPECT_FALSE(after<KMeansTrial>(data, {}).cut);
  for (const std::string algorithm : {"glimmer", "glimmer-2007", "stochastic-force"}) {
    EXPECT_TRUE(after<GlimmerTrial>(space, {"algorithm=" + algorithm, "maximum_iterations=3"}).cut) << algorithm;
    EXPECT_FALSE(after<GlimmerTrial>(space, {"algorithm=" + algorithm}).cut) << algorithm;
  }
}

}  // namespace
}  // namespace kinescope::sim::normalize_cases::normalize_test
