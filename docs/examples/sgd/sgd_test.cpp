// The layout of docs/adding-a-layout.md: the program has it as an option, and it does what its authors promise.
#include <cmath>
#include <gtest/gtest.h>

#include "kinescope/data/load.hpp"
#include "sim/glimmer/rivals/rival.hpp"
#include "tests/sim/data/helpers.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::glimmer::sgd_test {
namespace {

using cases::Trial;

std::unique_ptr<Rival> begun(const Dataset& data, const std::vector<std::string>& assignments = {}) {
  GlimmerParameters parameters;
  parameters.set("algorithm=sgd");
  for (const std::string& each : assignments) parameters.set(each);
  return make_rival(data, parameters, 1);
}

void run(Rival& rival) {
  while (!rival.seen().converged) rival.step();
}

TEST(Sgd, IsAnOptionWithItsOwnParameters) {
  GlimmerParameters parameters;
  EXPECT_EQ(parameters.algorithm.options().back(), "sgd");
  EXPECT_EQ(parameters.algorithm.label("sgd"), "SGD");
  EXPECT_EQ(parameters.algorithm.default_text(), "glimmer");
  parameters.set("algorithm=sgd");
  EXPECT_TRUE(parameters.applies(parameters.start));
  EXPECT_TRUE(parameters.applies(parameters.metric));
  for (const Parameter* other :
       {static_cast<Parameter*>(&parameters.restarts), static_cast<Parameter*>(&parameters.decimation),
        static_cast<Parameter*>(&parameters.step)})
    EXPECT_FALSE(parameters.applies(*other)) << other->name();
}

TEST(Sgd, EndsBelowItsStart) {
  for (const char* metric : {"metric=euclidean", "metric=manhattan"})
    for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"}) {
      const auto data = cases::noise(300, 6);
      const auto rival = begun(*data, {metric, dimensions});
      const double start = rival->seen().figure;
      run(*rival);
      EXPECT_LT(rival->seen().figure, start / 2) << metric << dimensions;
    }
}

TEST(Sgd, LaysPointsOfAPlaneOutNearlyExactly) {
  const auto data = cases::grid(15);
  const auto rival = begun(*data);
  run(*rival);
  EXPECT_LT(rival->seen().figure, 1e-4);
}

TEST(Sgd, SameBytesForAnyNumberOfThreads) {
  Trial trial(cases::noise(500, 6), {"algorithm=sgd"});
  const std::vector<float> expected = trial.layout();
  EXPECT_NEAR(trial.finished()->progress().figure, trial.stress(expected), 1e-5);
  for (const int threads : {1, 7}) {
    trial.setup.threads = threads;
    EXPECT_EQ(trial.layout(), expected) << threads;
  }
}

// A grid is found by the distances that are known.
TEST(Sgd, PairsWithoutADistanceTakeNoPart) {
  constexpr int width = 8, points = width * width;
  std::string table;
  for (int i = 0; i < points; ++i)
    for (int j = 0; j < points; ++j) {
      const double distance = std::hypot(i % width - j % width, i / width - j / width);
      table += (i != j && (i + j) % 7 == 0 ? "NA" : number_text(distance)) + (j + 1 < points ? "," : "\n");
    }
  const TemporaryFolder folder;
  Trial trial(load_dataset({.source = folder.write("grid.csv", table), .reading = Reading::matrix}),
              {"metric=matrix", "algorithm=sgd"});
  EXPECT_GT(trial.data->pairs_left_out, 100u);
  const std::vector<float> layout = trial.layout();
  EXPECT_LT(trial.stress(layout), 1e-3);
  const float* const last = &layout[2 * (points - 1)];
  EXPECT_NEAR(std::hypot(layout[0] - last[0], layout[1] - last[1]), std::hypot(width - 1, width - 1), 0.1);
}

TEST(Sgd, TakesFewPointsAndEqualOnes) {
  for (const std::size_t few : {1, 2, 3}) {
    const auto data = cases::noise(few, 4);
    const auto rival = begun(*data);
    run(*rival);
    for (const double value : rival->layout()) EXPECT_TRUE(std::isfinite(value)) << few;
  }
  const auto data = cases::dataset(50, 2, std::vector<float>(100, 3.0f));
  const auto same = begun(*data);
  run(*same);
  for (const double value : same->layout()) EXPECT_NEAR(value, 0, 1e-6);
}

}  // namespace
}  // namespace kinescope::sim::glimmer::sgd_test
