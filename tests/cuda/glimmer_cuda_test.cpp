// Glimmer on a CUDA device against the CPU.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>

#include "kinescope/data/load.hpp"
#include "kinescope/executors/devices.hpp"
#include "tests/sim/glimmer/fed_rows.hpp"
#include "tests/sim/glimmer/glimmer_cases.hpp"

namespace kinescope::sim::glimmer_cuda_test {
namespace {

using cases::Trial;

class GlimmerCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

// Both backends do the same operations, so short runs agree up to rounding. The older algorithms add forces in the same
// order. Our own starts from axes whose sums are added in another order, so its tolerance is larger.
TEST_F(GlimmerCuda, ShortRunsAgreeElementByElement) {
  for (const char* algorithm : {"algorithm=glimmer", "algorithm=glimmer-2007", "algorithm=stochastic-force"})
    for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"})
      for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=manhattan"}) {
        Trial run(cases::noise(5000, 7), {algorithm, dimensions, metric});
        const bool ours = run.parameters.algorithm.text() == "glimmer";
        std::vector<float> layouts[2];
        for (const Backend backend : {Backend::cpu, Backend::cuda}) {
          run.setup.backend = backend;
          const auto simulation = run.make();
          simulation->advance({std::numeric_limits<double>::infinity(), 20});
          EXPECT_EQ(simulation->progress().iteration, 20);
          layouts[static_cast<int>(backend)] = Trial::rows(simulation->result());
        }
        ASSERT_EQ(layouts[0].size(), layouts[1].size());
        std::size_t compared = 0;
        for (std::size_t i = 0; i < layouts[0].size(); ++i) {
          ASSERT_EQ(std::isnan(layouts[0][i]), std::isnan(layouts[1][i])) << i;  // absent on both or on neither
          if (std::isnan(layouts[0][i])) continue;
          ++compared;
          ASSERT_NEAR(layouts[0][i], layouts[1][i], ours ? 1e-3 : 1e-4)
              << algorithm << " " << dimensions << " " << metric << " element " << i;
        }
        EXPECT_GT(compared, 100u);
      }
}

TEST_F(GlimmerCuda, LongRunsAgreeInTheirStress) {
  // With few points several populations are grown, and every slot of a candidate is used.
  for (const auto& data :
       {cases::grid(100), cases::noise(4000, 5), cases::noise(600, 30), cases::noise(150, 4), cases::noise(1800, 9)})
    for (const char* algorithm : {"algorithm=glimmer", "algorithm=glimmer-2007"}) {
      Trial run(data, {algorithm});
      const double cpu = run.stress(run.layout());
      run.setup.backend = Backend::cuda;
      const double cuda = run.stress(run.layout());
      EXPECT_NEAR(cuda, cpu, 0.02 * cpu + 1e-5) << algorithm << ", " << data->points << " points";
    }
}

TEST_F(GlimmerCuda, SameBytesTwiceAndForAnyBudget) {
  Trial run(cases::noise(20'000, 6));
  run.setup.backend = Backend::cuda;
  const std::vector<float> first = run.layout(), second = run.layout();
  EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(float)), 0);
  const auto simulation = run.make();
  for (long count = 1; simulation->advance({2e-4, 1 + 40 * (count % 3)}); ++count) {
  }
  const std::vector<float> cut = Trial::rows(simulation->result());
  EXPECT_EQ(std::memcmp(first.data(), cut.data(), first.size() * sizeof(float)), 0);
}

// The window starts the next layout while the last one still runs.
TEST_F(GlimmerCuda, LayoutsOfOtherSizesDoNotDisturbEachOther) {
  Trial large(cases::noise(600, 5)), small(cases::noise(60, 5));
  large.setup.backend = small.setup.backend = Backend::cuda;
  const std::vector<float> alone = large.layout();
  const auto first = large.make();
  first->advance({std::numeric_limits<double>::infinity(), 1});
  const auto second = small.make();
  for (bool more = true; more;) {
    more = first->advance({std::numeric_limits<double>::infinity(), 10});
    second->advance({std::numeric_limits<double>::infinity(), 10});
  }
  const std::vector<float> beside = Trial::rows(first->result());
  ASSERT_EQ(beside.size(), alone.size());
  EXPECT_EQ(std::memcmp(beside.data(), alone.data(), alone.size() * sizeof(float)), 0);
}

// Tests the rounds, with many columns, compressed ones, and all metrics.
TEST_F(GlimmerCuda, RoundsReachTheStressOfTheCpu) {
  for (const char* source : {"synthetic:topics,n=20000", "synthetic:topics,n=9001,h=40", "synthetic:grid,n=30000"})
    for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=manhattan"})
      for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"}) {
        DataRequest request;
        request.source = source;
        Trial run(load_dataset(request), {metric, dimensions});
        const double cpu = run.stress(run.layout());
        run.setup.backend = Backend::cuda;
        const auto simulation = run.finished();
        const double cuda = run.stress(Trial::rows(simulation->result()));
        EXPECT_NEAR(cuda, cpu, 0.01 * cpu + 1e-9) << source << " " << metric << " " << dimensions;
        EXPECT_NEAR(simulation->progress().figure, cuda, 0.01 * cuda + 1e-9) << source << " " << metric;
      }
}

TEST_F(GlimmerCuda, SparseRowsReachTheStressOfTheCpu) {
  const auto data = load_dataset({.source = "synthetic:documents,n=9001,h=3000"});
  for (const char* algorithm : {"algorithm=glimmer", "algorithm=glimmer-2007"})
    for (const char* metric : {"metric=euclidean", "metric=cosine", "metric=cosine-squared"}) {
      Trial run(data, {algorithm, metric});
      const double cpu = run.stress(run.layout());
      run.setup.backend = Backend::cuda;
      EXPECT_NEAR(run.stress(run.layout()), cpu, 0.02 * cpu) << algorithm << " " << metric;
    }
}

TEST_F(GlimmerCuda, DistanceMatricesReachTheStressOfTheCpu) {
  const auto rows = cases::noise(3001, 6);
  std::vector<float> distances(rows->points * rows->points);
  for (std::size_t e = 0; e < distances.size(); ++e) {
    float square = 0;
    for (std::size_t c = 0; c < 6; ++c)
      square += std::pow(rows->values()[e / 3001 * 6 + c] - rows->values()[e % 3001 * 6 + c], 2.0f);
    distances[e] = std::sqrt(square);
  }
  const auto data = cases::dataset(3001, 3001, std::move(distances));
  for (const char* setting : {"landmarks=256", "landmarks=2560", "algorithm=glimmer-2007"})
    for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"}) {
      Trial run(data, {"metric=matrix", setting, dimensions});
      const double cpu = run.stress(run.layout());
      run.setup.backend = Backend::cuda;
      EXPECT_NEAR(run.stress(run.layout()), cpu, 0.02 * cpu) << setting << " " << dimensions;
    }
}

TEST_F(GlimmerCuda, DistancesByNeedReachTheStressOfTheCpu) {
  for (const std::vector<std::string>& settings :
       {std::vector<std::string>{}, {"landmarks=600", "output_dimensions=3"}}) {
    Trial run(cases::fed(std::make_shared<cases::FedRows>(cases::noise(9001, 20))), settings);
    run.parameters.set("metric", "graph");
    const double cpu = run.stress(run.layout());
    run.setup.backend = Backend::cuda;
    const auto simulation = run.finished();
    const double cuda = run.stress(Trial::rows(simulation->result()));
    EXPECT_NEAR(cuda / cpu, 1, 0.01);
    EXPECT_NEAR(simulation->progress().figure / cuda, 1, 0.01);
  }
}

// Distances that do not fit are sent page by page; nothing else changes.
TEST_F(GlimmerCuda, PagedDistancesGiveTheSameBytes) {
  for (const char* dimensions : {"output_dimensions=2", "output_dimensions=3"}) {
    Trial run(cases::fed(std::make_shared<cases::FedRows>(cases::noise(9001, 20))),
              {"metric=graph", "landmarks=600", dimensions});
    run.setup.backend = Backend::cuda;
    const std::vector<float> whole = run.layout();
    for (const char* megabytes : {"2", "9"}) {
      run.parameters.set("device_memory", megabytes);
      const std::vector<float> paged = run.layout();
      EXPECT_EQ(std::memcmp(whole.data(), paged.data(), whole.size() * sizeof(float)), 0) << megabytes;
    }
  }
}

TEST_F(GlimmerCuda, HistoryIsCompleteAfterARestartToo) {
  Trial run(cases::grid(60));
  run.setup.backend = Backend::cuda;
  const auto simulation = run.make();
  for (int round = 0; round < 2; ++round) {
    while (simulation->advance({1e-3, 1000})) {
    }
    simulation->finish();
    const History history = simulation->history();
    ASSERT_EQ(history.entries.size(), static_cast<std::size_t>(simulation->progress().iteration));
    for (std::size_t i = 0; i < history.entries.size(); ++i)
      ASSERT_EQ(history.entries[i].iteration, static_cast<long>(i + 1));
    simulation->restart();
  }
}

TEST_F(GlimmerCuda, DegenerateInputGivesFiniteLayouts) {
  for (const auto& data : {cases::dataset(1, 3, {1, 2, 3}), cases::dataset(2, 1, {1, 5}),
                           cases::dataset(2000, 1, std::vector<float>(2000, 4.0f))}) {
    Trial run(data);
    run.setup.backend = Backend::cuda;
    for (const float value : run.layout()) EXPECT_TRUE(std::isfinite(value));
  }
}

TEST_F(GlimmerCuda, AMillionPoints) {
  Trial run(cases::grid(1000, 9));
  run.setup.backend = Backend::cuda;
  const std::vector<float> layout = run.layout();
  const auto simulation = run.make();
  simulation->advance({});
  const Progress progress = simulation->progress();
  const double stress = run.stress(layout);
  std::printf("a million points of the grid in 9-D: %.4f s, %ld iterations, stress %.3g\n", progress.seconds,
              progress.iteration, stress);
  EXPECT_LT(stress, 1e-2);
}

}  // namespace
}  // namespace kinescope::sim::glimmer_cuda_test
