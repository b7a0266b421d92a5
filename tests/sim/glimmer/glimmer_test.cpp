// Properties that Glimmer has on the CPU.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

#include "kinescope/data/load.hpp"
#include "sim/glimmer/prepare.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"
#include "tests/sim/host_buffers.hpp"

namespace kinescope::sim::glimmer_test {
namespace {

using cases::Trial;

const std::vector<std::string> algorithms = {"glimmer", "glimmer-2007", "stochastic-force"};

bool same_bytes(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

bool all_finite(const std::vector<float>& values) {
  return std::all_of(values.begin(), values.end(), [](float value) { return std::isfinite(value); });
}

TEST(Glimmer, PlaneDataReachStressNearZero) {
  Trial run(cases::grid(50));
  EXPECT_LT(run.stress(run.layout()), 1e-4);
}

TEST(Glimmer, ThreeDimensionsHoldAnySolid) {
  Trial run(cases::noise(1500, 3), {"output_dimensions=3"});
  const std::vector<float> layout = run.layout();
  EXPECT_EQ(layout.size(), 3u * 1500);
  EXPECT_LT(run.stress(layout), 1e-3);
}

TEST(Glimmer, StressNeverExceedsTheStartingOne) {
  for (const std::string& algorithm : algorithms)
    for (const auto& data : {cases::grid(40), cases::noise(1200, 2), cases::noise(300, 20)}) {
      Trial run(data, {"algorithm=" + algorithm});
      const auto simulation = run.make();
      const double start = run.stress(Trial::rows(simulation->result()));
      while (simulation->advance({})) {
      }
      EXPECT_LE(run.stress(Trial::rows(simulation->result())), start) << algorithm;
      EXPECT_TRUE(simulation->progress().converged);
    }
}

TEST(Glimmer, SameBytesTwiceAndForAnyNumberOfThreads) {
  for (const std::string& algorithm : algorithms) {
    Trial run(cases::noise(algorithm == "glimmer" ? 9000 : 3000, 24), {"algorithm=" + algorithm});
    const std::vector<float> first = run.layout();
    for (const int threads : {1, 2, 7}) {
      run.setup.threads = threads;
      EXPECT_TRUE(same_bytes(first, run.layout())) << algorithm << ", " << threads << " threads";
    }
    run.setup.seed = 2;
    EXPECT_FALSE(same_bytes(first, run.layout())) << "another seed gave the same layout";
  }
}

TEST(Glimmer, BudgetNeverChangesTheResult) {
  for (const std::size_t points : {2500, 6000}) {
    Trial run(cases::noise(points, 20));
    const std::vector<float> whole = run.layout();
    const auto simulation = run.make();
    for (long count = 1; simulation->advance({1e-4, 1 + count % 7}); ++count) {
    }
    EXPECT_TRUE(same_bytes(whole, Trial::rows(simulation->result())));
    simulation->restart();
    EXPECT_FALSE(simulation->progress().converged);
    simulation->advance({});
    EXPECT_TRUE(same_bytes(whole, Trial::rows(simulation->result()))) << "after a restart";
  }
}

// Rows far from the others make nearly all of the stress, and are laid out with care whatever the seed draws.
TEST(Glimmer, OutlyingRowsAreLaidOutWithCare) {
  const std::size_t points = 9000, columns = 8;
  const auto data = cases::noise(points, columns);
  for (std::size_t i = 0; i < 9; ++i)
    for (std::size_t c = 0; c < columns; ++c) data->rows().values.own()[i * 997 * columns + c] *= 1e4f;
  std::vector<double> stress;
  for (const std::uint64_t seed : {1, 2, 3}) {
    Trial run(data, {"normalize=none"});
    run.setup.seed = seed;
    stress.push_back(run.stress(run.layout()));
  }
  const auto [least, most] = std::ranges::minmax(stress);
  EXPECT_LT(most, 1.02 * least);  // twice as much, before
}

TEST(Glimmer, DegenerateInputGivesFiniteLayouts) {
  std::vector<float> two_clusters(40, 0.0f);
  std::fill(two_clusters.begin() + 20, two_clusters.end(), 1.0f);
  const std::vector<std::shared_ptr<Dataset>> degenerate = {cases::dataset(1, 3, {1, 2, 3}),
                                                            cases::dataset(2, 1, {1, 5}),
                                                            cases::dataset(3, 2, {1, 1, 1, 1, 1, 1}),
                                                            cases::dataset(2000, 1, std::vector<float>(2000, 4.0f)),
                                                            cases::dataset(20, 2, two_clusters),
                                                            cases::dataset(2, 2, {-3e35f, 3e35f, 3e35f, -3e35f}),
                                                            cases::dataset(3, 1, {1e-38f, 2e-38f, 3e-38f})};
  for (const std::string& algorithm : algorithms)
    for (const auto& data : degenerate)
      for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=manhattan"})
        for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"}) {
          Trial run(data, {"algorithm=" + algorithm, metric, dimensions});
          const std::vector<float> layout = run.layout();
          EXPECT_TRUE(all_finite(layout)) << algorithm << ", " << data->points << " points, " << metric;
        }
}

// 40 points divided by 64 would make an empty level, which is left out.
TEST(Glimmer, EveryLevelHasPoints) {
  for (const std::string& algorithm : algorithms)
    for (const std::size_t points : {40, 64, 65, 130}) {
      Trial run(cases::noise(points, 2), {"algorithm=" + algorithm, "decimation=64", "minimum_level=16"});
      const std::vector<float> layout = run.layout();
      EXPECT_TRUE(all_finite(layout)) << algorithm << ", " << points << " points";
    }
}

// Few points beyond the landmarks, and numbers of points that do not fill blocks of 64.
TEST(Glimmer, AnyNumberOfPointsBeyondTheLandmarks) {
  for (const std::size_t points : {256, 257, 258, 300, 319, 320, 321, 577, 700, 5'001, 5'057})
    for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"}) {
      Trial run(cases::noise(points, 5), {"landmarks=256", dimensions});
      const std::vector<float> layout = run.layout();
      ASSERT_TRUE(all_finite(layout)) << points << " points";
      EXPECT_LT(run.stress(layout), std::string(dimensions).back() == '2' ? 0.115 : 0.045) << points << " points";
    }
}

// Data of many columns are compressed. The loss must not show in the stress, with any metric.
TEST(Glimmer, ManyColumnsAndPointsReachWhatAllPairsReach) {
  DataRequest request;
  request.source = "synthetic:topics,n=3600,h=96,clusters=12";
  const auto data = load_dataset(request);
  for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=manhattan"})
    for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"}) {
      Trial rounds(data, {metric, dimensions, "landmarks=1000"}), all(data, {metric, dimensions, "landmarks=5000"});
      const double sampled = rounds.stress(rounds.layout()), full = all.stress(all.layout());
      EXPECT_LT(sampled, 1.02 * full) << metric << " " << dimensions;
    }
}

TEST(Glimmer, HostileDataGiveFiniteLayouts) {
  const std::shared_ptr<const Dataset> noise = cases::noise(4000, 20);
  std::vector<float> far(noise->values().begin(), noise->values().end()), same(4000 * 20, 2.0f), heavy = far,
                                                                                                 categories = far;
  for (std::size_t k = 0; k < far.size(); k += 2000) far[k] = 1e5f;
  for (std::size_t k = 0; k < 20; ++k) same[k] = 3;
  for (float& value : heavy) value = std::tan(3.14f * (value - 0.5f));
  for (float& value : categories) value = value < 0.2f;
  for (const auto& values : {far, same, heavy, categories})
    for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=manhattan"}) {
      Trial run(cases::dataset(4000, 20, values), {metric});
      const auto simulation = run.finished();
      const std::vector<float> layout = Trial::rows(simulation->result());
      ASSERT_TRUE(all_finite(layout)) << metric;
      const double stress = run.stress(layout);
      EXPECT_NEAR(simulation->progress().figure, stress, 0.01 * stress + 1e-12) << metric;
    }
}

TEST(Glimmer, ManyColumnsArePlacedLikeFew) {
  std::vector<float> values(3 * 65'536, 0.0f);  // (0, 0), (3, 0) and (0, 4) in columns 0 and 65,535
  values[65'536] = 3;
  values[3 * 65'536 - 1] = 4;
  Trial run(cases::dataset(3, 65'536, values));
  EXPECT_LT(run.stress(run.layout()), 1e-6);
}

TEST(Glimmer, RangeBeyondFloatIsOneClearLine) {
  Trial run(cases::dataset(2, 2, {-3e38f, 3e38f, 3e38f, -3e38f}));
  try {
    run.layout();
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_status(), 2);
    EXPECT_NE(std::string(error.what()).find("normalize"), std::string::npos);
  }
  run.parameters.set("normalize=minmax");
  EXPECT_TRUE(all_finite(run.layout()));
}

TEST(Glimmer, TwoPointsLieAtTheirDistance) {
  Trial run(cases::dataset(2, 2, {0, 0, 3, 4}));
  const std::vector<float> layout = run.layout();
  EXPECT_NEAR(std::hypot(layout[0] - layout[2], layout[1] - layout[3]), 5.0, 0.05);
}

TEST(Glimmer, UnitsOfTheDataDoNotChangeTheStress) {
  const auto data = cases::noise(1500, 4);
  Trial run(data);
  const double stress = run.stress(run.layout());
  for (const float factor : {1e-6f, 1e6f}) {
    auto scaled = std::make_shared<Dataset>(*data);
    for (float& value : scaled->rows().values.own()) value *= factor;
    Trial other(scaled);
    EXPECT_NEAR(other.stress(other.layout()), stress, 0.05 * stress) << factor;
  }
}

TEST(Glimmer, OrientationIsThatOfTheDataForAnySeed) {
  const auto data = cases::grid(40);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Trial run(data);
    run.setup.seed = seed;
    const std::vector<float> layout = run.layout();
    // The grid is centred, with its long side along the first column. So must the layout be, up to a mirror.
    double error = 0;
    for (const int axis : {0, 1}) {
      double product = 0, own = 0, given = 0;
      for (std::size_t i = 0; i < data->points; ++i) {
        const double x = layout[2 * i + static_cast<std::size_t>(axis)];
        const double t = data->values()[8 * i + static_cast<std::size_t>(axis)] - (axis == 0 ? 0.73125 : 0.4875);
        product += x * t;
        own += x * x;
        given += t * t;
      }
      error = std::max(error, 1 - std::abs(product) / std::sqrt(own * given));
    }
    EXPECT_LT(error, 1e-3) << "seed " << seed;
  }
}

TEST(Glimmer, MetricsAreTheirFormulas) {
  const auto data = cases::dataset(2, 3, {1, 2, 2, 4, 6, 2});
  const auto distance = [&](const char* metric) {
    Trial run(data, {metric});
    const std::vector<float> layout = run.layout();
    return std::hypot(layout[0] - layout[2], layout[1] - layout[3]);
  };
  EXPECT_NEAR(distance("metric=euclidean"), 5, 0.05);
  EXPECT_NEAR(distance("metric=manhattan"), 7, 0.07);
  EXPECT_NEAR(distance("metric=cosine"), 1 - 20 / (3 * std::sqrt(56.0)), 0.01);
}

// Standardized, a row of means has no direction; what is left of rounding it is none.
TEST(Glimmer, ARowOfMeansHasNoDirection) {
  std::vector<float> values;
  double sum[2] = {};
  for (std::size_t i = 0; i < 40; ++i)
    for (std::size_t c = 0; c < 2; ++c) {
      values.push_back(1'000.1f + 17 * Random(3, 1).uniform(2 * i + c));
      sum[c] += double(values.back()) / 40;
    }
  for (const double mean : sum) values.push_back(static_cast<float>(mean));
  const auto data = cases::dataset(41, 2, std::move(values));
  GlimmerParameters parameters;
  parameters.set("metric", "cosine");
  parameters.set("normalize", "zscore");
  const glimmer::RowScaling scaling(*data, parameters);
  float row[2] = {9, 9};
  scaling(40, row);
  EXPECT_EQ(row[0], 0);
  EXPECT_EQ(row[1], 0);
  scaling(0, row);
  EXPECT_NEAR(std::hypot(row[0], row[1]), 1, 1e-6);
}

TEST(Glimmer, NormalizationMakesColumnsComparable) {
  auto data = cases::noise(1200, 2);
  for (std::size_t i = 0; i < data->points; ++i) data->rows().values.own()[2 * i] *= 1000;
  for (const char* normalize : {"normalize=zscore", "normalize=minmax"}) {
    Trial run(data, {normalize});
    const std::vector<float> layout = run.layout();
    double spread[2] = {0, 0};
    for (std::size_t i = 0; i < layout.size(); ++i) spread[i % 2] += double(layout[i]) * layout[i];
    EXPECT_LT(std::sqrt(std::max(spread[0], spread[1]) / std::min(spread[0], spread[1])), 1.5) << normalize;
    EXPECT_LT(run.stress(layout), 1e-3);
  }
}

TEST(Glimmer, HistoryAndLevelsTellTheWholeRun) {
  Trial run(cases::noise(10'000, 6));
  const auto simulation = run.make();
  while (simulation->advance({1, 13})) {
  }
  const History history = simulation->history();
  const Progress progress = simulation->progress();
  ASSERT_EQ(history.entries.size(), static_cast<std::size_t>(progress.iteration));
  EXPECT_EQ(progress.levels, 2);
  EXPECT_EQ(progress.points, 10'000u);
  for (std::size_t i = 0; i < history.entries.size(); ++i) {
    EXPECT_EQ(history.entries[i].iteration, static_cast<long>(i + 1));
    EXPECT_TRUE(std::isfinite(history.entries[i].figure));
    EXPECT_GE(history.entries[i].level, history.entries[i > 0 ? i - 1 : 0].level);
  }
  simulation->restart();
  simulation->advance({1, 5});
  EXPECT_EQ(simulation->history().entries.size(), 5u);
  EXPECT_EQ(history.entries.size(), std::size_t(progress.iteration)) << "an earlier snapshot stays as it was";
}

TEST(Glimmer, ReportTellsEachLevelsTime) {
  Trial run(cases::grid(100));
  const auto simulation = run.make();
  simulation->advance({});
  const double seconds = simulation->progress().seconds;
  double sum = 0;
  std::size_t levels = 0;
  for (const auto& [key, value] : simulation->report().entries)
    if (key == "levels")
      for (const Report& level : std::get<std::vector<Report>>(value))
        for (const auto& [name, figure] : level.entries)
          if (name == "seconds") sum += std::get<double>(figure), ++levels;
  EXPECT_EQ(levels, 2u);
  EXPECT_GT(sum, 0);
  EXPECT_LE(sum, seconds);
}

TEST(Glimmer, PublishesLevelsAsTheyComeInAndTheResultAtTheEnd) {
  Trial run(cases::grid(100));
  const auto simulation = run.make();
  test_buffers::HostBuffers buffers;
  simulation->attach(buffers);
  std::vector<std::size_t> present_counts;
  bool left = true;
  while (left) {
    left = simulation->advance({1, 1});
    simulation->publish();
    const auto positions = buffers.of("positions");
    const auto states = buffers.of<std::uint32_t>("states");
    std::size_t present = 0;
    for (std::size_t i = 0; i < run.data->points; ++i) {
      const bool absent = states[i] == static_cast<std::uint32_t>(PointState::absent);
      EXPECT_EQ(absent, std::isnan(positions[2 * i]));
      present += !absent;
    }
    EXPECT_EQ(present, simulation->progress().points);
    if (present_counts.empty() || present_counts.back() != present) present_counts.push_back(present);
  }
  EXPECT_EQ(present_counts, (std::vector<std::size_t>{2560, 10'000}));
  const std::vector<float> result = Trial::rows(simulation->result());
  EXPECT_TRUE(std::ranges::equal(result, buffers.of("positions")));
}

}  // namespace
}  // namespace kinescope::sim::glimmer_test
