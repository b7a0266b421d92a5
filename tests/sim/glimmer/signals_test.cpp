// The second curve of the layouts by forces: the mean speed, and the mean size of the forces.
#include <gtest/gtest.h>

#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::signals_test {
namespace {

using namespace cases;

std::vector<double> second_curve(Simulation& run) {
  const History history = run.history();
  std::vector<double> values;
  for (const HistoryPoint& point : history.entries) values.push_back(double(point.second_figure));
  return values;
}

double distance_of(Simulation& run) {
  const std::vector<float> x = Trial::rows(run.result());
  return std::hypot(double(x[0] - x[2]), double(x[1] - x[3]));
}

// Two rows, which move apart or together along one line: each at half the speed of their distance.
TEST(GlimmerSignals, TheMeanSpeedIsThatOfTwoPoints) {
  const auto rows = dataset(2, 2, {0, 0, 3, 4});
  std::vector<double> curves[2];
  for (const bool forces : {false, true}) {
    Trial trial(rows, {"algorithm=stochastic-force", forces ? "second_curve=force" : "second_curve=velocity"});
    const auto run = trial.make();
    double unit = NAN;
    for (int iteration = 0; iteration < 6; ++iteration) {
      const double before = distance_of(*run);
      run->advance({.iterations = 1});
      run->finish();
      const double speed = second_curve(*run).back();
      if (forces) continue;
      ASSERT_GT(speed, 0);
      const double data_units = std::abs(distance_of(*run) - before) / (2 * 0.3 * speed);  // step=0.3
      if (iteration > 0) EXPECT_NEAR(data_units / unit, 1, 1e-3) << iteration;
      unit = data_units;
    }
    curves[forces] = second_curve(*run);
  }
  // From rest v = λ h F, with the default decay and step.
  EXPECT_NEAR(curves[0][0] / curves[1][0], 0.85 * 0.3, 1e-5);
}

TEST(GlimmerSignals, ACurveChangesNoLayout) {
  for (const char* algorithm : {"algorithm=glimmer-2007", "algorithm=hybrid"}) {
    Trial plain(noise(1500, 5), {algorithm}), watched(noise(1500, 5), {algorithm, "second_curve=velocity"});
    EXPECT_EQ(plain.layout(), watched.layout()) << algorithm;
  }
}

TEST(GlimmerSignals, AreNamedAndMayChangeDuringARun) {
  Trial trial(noise(600, 4), {"algorithm=glimmer-2007"});
  const auto run = trial.make();
  run->advance({.iterations = 3});
  run->finish();
  EXPECT_EQ(run->progress().second_figure_name, "");
  EXPECT_TRUE(std::isnan(second_curve(*run).back()));
  run->set("second_curve", "force");
  run->advance({.iterations = 3});
  run->finish();
  EXPECT_EQ(run->progress().second_figure_name, "mean force");
  EXPECT_GT(run->progress().second_figure, 0);
  const std::vector<double> curve = second_curve(*run);
  EXPECT_TRUE(std::isnan(curve[2]));
  EXPECT_EQ(curve[5], run->progress().second_figure);
}

}  // namespace
}  // namespace kinescope::sim::signals_test
