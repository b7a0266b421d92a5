// Tests of runs that begin on a given layout: it is shown as it is, and the result has no more stress.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>

#include "tests/sim/data/helpers.hpp"
#include "tests/sim/glimmer/fed_rows.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::start_test {
namespace {

using cases::Trial;

const std::vector<std::string> refining = {"glimmer",  "glimmer-2007", "stochastic-force",
                                           "chalmers", "smacof",       "nonmetric"};

// A layout as another program might have made it: with some centre, size and orientation, and unrelated to the data.
std::vector<float> foreign_layout(std::size_t points) {
  const Random random(11, 3);
  std::vector<float> layout;
  for (std::size_t i = 0; i < points; ++i) {
    layout.push_back(40 + 3 * random.normal(i, 0));
    layout.push_back(-7 + 9 * random.normal(i, 1));
  }
  return layout;
}

std::vector<float> centred(std::vector<float> layout) {
  const auto count = static_cast<double>(layout.size() / 2);
  double mean[2] = {};
  for (std::size_t k = 0; k < layout.size(); ++k) mean[k % 2] += double(layout[k]) / count;
  for (std::size_t k = 0; k < layout.size(); ++k) layout[k] -= static_cast<float>(mean[k % 2]);
  return layout;
}

// The largest difference between a coordinate of `layout` and the same one of `other` times the best factor, as a part
// of the layout's size.
double unlike(const std::vector<float>& layout, const std::vector<float>& other) {
  double product = 0, square = 0, worst = 0, size = 0;
  for (std::size_t k = 0; k < other.size(); ++k)
    product += double(layout[k]) * other[k], square += double(other[k]) * other[k];
  for (std::size_t k = 0; k < other.size(); ++k) {
    worst = std::max(worst, std::abs(layout[k] - product / square * other[k]));
    size = std::max(size, std::abs(double(layout[k])));
  }
  return product > 0 ? worst / size : 1;
}

struct Case {
  std::string algorithm;
  std::shared_ptr<const Dataset> data;
  std::string metric = "metric=euclidean";
};

// Small data, and data that our own method treats differently: more points than it polishes, and distances that it fits
// to landmarks.
std::vector<Case> all_cases() {
  std::vector<Case> all;
  for (const std::string& algorithm : refining) all.push_back({algorithm, cases::noise(400, 7)});
  all.push_back({"glimmer", cases::noise(4000, 7)});
  all.push_back({"glimmer", cases::noise(6000, 7)});
  all.push_back({"glimmer", cases::noise(6000, 40)});
  all.push_back({"glimmer-2007", cases::noise(6000, 7)});
  all.push_back({"glimmer", cases::fed(std::make_shared<cases::FedRows>(cases::noise(5200, 7))), "metric=matrix"});
  return all;
}

std::string name_of(const Case& each) {
  return each.algorithm + ", " + std::to_string(each.data->points) + " points, " +
         std::to_string(each.data->dimensions) + " columns";
}

TEST(GivenStart, IterationZeroShowsTheFilesLayoutUpToPlaceAndScale) {
  const TemporaryFolder folder;
  for (const Case& each : all_cases()) {
    const std::vector<float> layout = foreign_layout(each.data->points);
    const std::string file = folder.write("start.csv", cases::layout_csv(layout));
    Trial run(each.data, {"algorithm=" + each.algorithm, each.metric, "start=" + file});
    const auto simulation = run.make();
    const std::vector<float> shown = Trial::rows(simulation->result());
    EXPECT_LT(unlike(shown, centred(layout)), 1e-5) << name_of(each);
    const Progress progress = simulation->progress();
    EXPECT_EQ(progress.points, each.data->points) << name_of(each);
    if (each.algorithm == "nonmetric") continue;  // its figure is stress-1
    const double stress = run.stress(shown);
    EXPECT_NEAR(progress.figure, stress, (each.data->points > 5000 ? 1e-2 : 1e-5) * stress)
        << name_of(each);  // sampled if > 5,000 points
  }
}

// Starts on an unrelated layout, and on the best layout that is known.
TEST(GivenStart, TheStressDoesNotEndAboveTheStarts) {
  const TemporaryFolder folder;
  for (const Case& each : all_cases()) {
    if (each.algorithm == "nonmetric") continue;  // it minimizes another figure
    Trial own(each.data, {each.metric});
    const std::vector<float> best = own.layout();
    for (const bool foreign : {true, false}) {
      const std::string file =
          folder.write("start.csv", cases::layout_csv(foreign ? foreign_layout(each.data->points) : best));
      Trial run(each.data, {"algorithm=" + each.algorithm, each.metric, "start=" + file});
      const auto simulation = run.make();
      const double before = run.stress(Trial::rows(simulation->result()));
      std::set<std::string> phases;
      while (simulation->advance({.iterations = 1})) phases.insert(simulation->progress().phase);
      const double after = run.stress(Trial::rows(simulation->result()));
      std::printf("%-45s from %.5f to %.5f in %ld iterations\n", name_of(each).c_str(), before, after,
                  simulation->progress().iteration);
      EXPECT_LE(after, before) << name_of(each);
      if (foreign) EXPECT_LT(after, 0.9 * before) << name_of(each);
      for (const char* thrown_away : {"search", "glide", "interpolate"})
        EXPECT_EQ(phases.count(thrown_away), 0u) << name_of(each) << ", " << thrown_away;
    }
  }
}

TEST(GivenStart, ABadLayoutIsMendedAsFarAsOneMayHope) {
  const TemporaryFolder folder;
  for (const std::size_t points : {400, 4000, 6000}) {
    const auto data = cases::noise(points, 7);
    const double own = Trial(data).stress(Trial(data).layout());
    const std::string file = folder.write("start.csv", cases::layout_csv(foreign_layout(points)));
    Trial run(data, {"start=" + file});
    const double mended = run.stress(run.layout());
    EXPECT_LT(mended, 1.15 * own) << points;
  }
}

TEST(GivenStart, TheReportTellsTheStartsStress) {
  const auto data = cases::noise(300, 6);
  const auto number = [](const Report& report, const std::string& key) {
    for (const auto& [name, value] : report.entries)
      if (name == key) return std::get<double>(value);
    return double(NAN);
  };
  for (const char* start : {"start=classic", "start=pivot"}) {
    Trial run(data, {start});
    const auto simulation = run.make();
    const double before = run.stress(Trial::rows(simulation->result()));
    while (simulation->advance({})) {
    }
    const Report report = simulation->report();
    EXPECT_NEAR(number(report, "start_stress"), before, 1e-5 * before) << start;
    EXPECT_LT(number(report, "stress"), before) << start;
  }
  EXPECT_TRUE(std::isnan(number(Trial(data).finished()->report(), "start_stress")));
}

// Otherwise only rounding would decide where they go, and from a single place no point would move.
TEST(GivenStart, PointsAtOnePlaceAreMovedApart) {
  const TemporaryFolder folder;
  for (const std::size_t points : {400, 6000})
    for (const std::size_t places : {std::size_t{1}, points / 4}) {
      const auto data = cases::noise(points, 7);
      std::vector<float> layout = foreign_layout(places);
      while (layout.size() < 2 * points) layout.push_back(layout[layout.size() - 2 * places]);
      const std::string file = folder.write("start.csv", cases::layout_csv(layout));
      for (const char* algorithm : {"algorithm=glimmer", "algorithm=glimmer-2007"}) {
        Trial run(data, {algorithm, "start=" + file});
        const auto simulation = run.make();
        const std::vector<float> shown = Trial::rows(simulation->result());
        std::set<std::pair<float, float>> taken;
        for (std::size_t i = 0; i < points; ++i) taken.emplace(shown[2 * i], shown[2 * i + 1]);
        EXPECT_EQ(taken.size(), points) << algorithm << ", " << places;
        if (places > 1) EXPECT_LT(unlike(shown, centred(layout)), 1e-4) << algorithm;
      }
      Trial run(data, {"start=" + file});
      EXPECT_LT(run.stress(run.layout()), 1.15 * run.stress(Trial(data).layout())) << points << ", " << places;
    }
}

TEST(GivenStart, ARestartBeginsThereAgain) {
  const TemporaryFolder folder;
  for (const std::size_t points : {500, 6000}) {
    const auto data = cases::noise(points, 7);
    // A run of few rounds that starts on the best layout known ends with more stress, and goes back to the start.
    const std::string file = folder.write("start.csv", cases::layout_csv(Trial(data).layout()));
    Trial run(data, {"start=" + file});
    const auto simulation = run.make();
    const std::vector<float> start = Trial::rows(simulation->result());
    simulation->advance({});
    const std::vector<float> first = Trial::rows(simulation->result());
    simulation->restart();
    EXPECT_FALSE(simulation->progress().converged);
    EXPECT_EQ(Trial::rows(simulation->result()), start);
    for (long count = 1; simulation->advance({1e-4, 1 + count % 7}); ++count) {
    }
    EXPECT_EQ(Trial::rows(simulation->result()), first);
  }
}

TEST(GivenStart, ThreeDimensionsAndOtherMetrics) {
  const auto data = cases::noise(6000, 5);
  for (const char* metric : {"metric=cosine", "metric=manhattan"}) {
    Trial run(data, {metric, "output_dimensions=3", "start=pivot"});
    const auto simulation = run.make();
    const double before = run.stress(Trial::rows(simulation->result()));
    simulation->advance({});
    EXPECT_LE(run.stress(Trial::rows(simulation->result())), before) << metric;
  }
}

}  // namespace
}  // namespace kinescope::sim::start_test
