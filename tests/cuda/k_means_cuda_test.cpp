// k-means on a CUDA device against the CPU and a plain Lloyd iteration.
#include <gtest/gtest.h>
#include <tuple>

#include "kinescope/executors/devices.hpp"
#include "tests/cuda/device_buffers.hpp"
#include "tests/cuda/k_means_cuda_cases.hpp"
#include "tests/sim/host_buffers.hpp"
#include "tests/sim/k_means/k_means_pictures.hpp"

namespace kinescope::sim::k_means_cuda_test {
namespace {

using namespace k_means_cases;

class KMeansCuda : public testing::Test {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }
};

TEST_F(KMeansCuda, EqualsAPlainLloydIterationAndTheCpu) {
  for (const Case& c : every_way()) {
    const StartFile start(*c.data, c.clusters);
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), start.assignment(), "stop=iterations",
                       "iterations=" + std::to_string(c.iterations)});
    const auto cpu = run.on(Backend::cpu).finished();
    const auto cuda = run.on(Backend::cuda).finished();
    const Plain plain = plain_lloyd(*c.data, StartFile::spread_rows(*c.data, c.clusters), c.iterations);
    const std::string what = std::to_string(c.data->points) + " x " + std::to_string(c.data->dimensions) + ", K " +
                             std::to_string(c.clusters);
    EXPECT_TRUE(same_bytes(cuda->result(), cpu->result())) << what;
    EXPECT_EQ(cuda->progress().iteration, cpu->progress().iteration) << what;
    const auto sizes = entry<std::vector<std::int64_t>>(*cpu, "sizes");
    if (plain.inertias.size() == 0 || sizes.back() == 0) continue;
    EXPECT_EQ(differences(labels(*cuda), plain.labels), 0u) << what;
    EXPECT_NEAR(inertia(*cuda), plain.inertia, 1e-6 * plain.inertia) << what;
    EXPECT_NEAR(inertia(*cuda), inertia(*cpu), 1e-9 * plain.inertia) << what;
    const History history = cuda->history();
    for (std::size_t t = 0; t < history.entries.size(); ++t)
      EXPECT_NEAR(history.entries[t].figure, plain.inertias[t], 2e-6 * plain.inertias[t]) << what;
  }
}

TEST_F(KMeansCuda, EqualsScikitLearn) {
  for (const Reference& reference : references()) {
    if (!reference.data) continue;
    const StartFile start(*reference.data, reference.clusters);
    const auto simulation = Trial(reference.data, {"clusters=" + std::to_string(reference.clusters), start.assignment(),
                                                   "tolerance=0", "iterations=1000"})
                                .on(Backend::cuda)
                                .finished();
    EXPECT_EQ(differences(labels(*simulation), reference.labels), 0u) << reference.name;
    EXPECT_NEAR(inertia(*simulation), reference.inertia, 1e-5 * reference.inertia) << reference.name;
  }
}

TEST_F(KMeansCuda, StartsAndSweepsAreTheCpus) {
  for (const auto& settings : std::vector<std::vector<std::string>>{{"clusters=6"},
                                                                    {"clusters=50"},
                                                                    {"clusters=12", "start=random"},
                                                                    {"clusters=9", "restarts=4"},
                                                                    {"clusters=70", "start=random", "restarts=3"},
                                                                    {"sweep=1:14"},
                                                                    {"clusters=300", "iterations=4"}})
    for (const int columns : {2, 30}) {
      // With 40,000 points a sweep weighs a sample.
      const std::size_t points = settings[0].starts_with("sweep") && columns == 2 ? 40'000 : 5000;
      Trial run(gaussians(points, columns, 7), settings);
      const auto cpu = run.on(Backend::cpu).finished(), cuda = run.on(Backend::cuda).finished();
      EXPECT_TRUE(same_bytes(cuda->result(), cpu->result())) << settings[0] << ", " << columns << " columns";
      const bool one_run = !settings[0].starts_with("sweep") && !settings.back().starts_with("restarts");
      EXPECT_TRUE(!one_run || never_rises(*cuda)) << settings[0];
      EXPECT_EQ(cuda->progress().iteration, cpu->progress().iteration) << settings[0];
      const auto curve = [](const Simulation& run) {
        const auto sweep = run.snapshot()->share<KMeansSweep>();
        return sweep ? sweep->curve : std::vector<KMeansCriteria>();
      };
      const std::vector<KMeansCriteria> mine = curve(*cuda), theirs = curve(*cpu);
      EXPECT_EQ(theirs.empty(), !settings[0].starts_with("sweep"));
      ASSERT_EQ(mine.size(), theirs.size());
      for (std::size_t k = 0; k < mine.size(); ++k) {
        EXPECT_NEAR(mine[k].inertia, theirs[k].inertia, 1e-9 * theirs[k].inertia);
        EXPECT_NEAR(mine[k].bic, theirs[k].bic, 1e-9 * std::fabs(theirs[k].bic));
      }
    }
}

// Thousands of clusters begin from k-means‖.
TEST_F(KMeansCuda, ManyClustersBeginAsOnTheCpu) {
  auto equal = uniform(15'001, 2);
  for (std::size_t e = 0; e < equal->values().size(); ++e) equal->rows().values.own()[e] = equal->values()[e % 10'400];
  for (const auto& [data, more] : std::vector<std::pair<std::shared_ptr<const Dataset>, std::vector<std::string>>>{
           {uniform(20'000, 16), {}},
           {uniform(20'000, 16), {"restarts=2"}},
           {uniform(20'000, 16), {"device_memory=1"}},
           {gaussians(15'000, 2, 2500), {}},
           {gaussians(9000, 70, 3000), {}},
           {cauchy(12'000), {}},
           {equal, {}}}) {
    std::vector<std::string> settings = {"clusters=5000", "iterations=2"};
    settings.insert(settings.end(), more.begin(), more.end());
    Trial run(data, settings);
    const auto cpu = run.on(Backend::cpu).finished(), cuda = run.on(Backend::cuda).finished();
    const std::string what =
        std::to_string(data->points) + " x " + std::to_string(data->dimensions) + (more.empty() ? "" : ", " + more[0]);
    EXPECT_TRUE(same_bytes(cuda->result(), cpu->result())) << what;
    EXPECT_TRUE(same_bytes(cuda->table("centroids"), cpu->table("centroids"))) << what;
  }
  const auto grown = [](Backend backend) {
    const auto simulation = Trial(uniform(12'000, 2), {"clusters=700", "iterations=4"}).on(backend).finished();
    simulation->set("clusters", "9000");
    while (simulation->advance({})) {
    }
    return simulation->table("centroids");
  };
  EXPECT_TRUE(same_bytes(grown(Backend::cuda), grown(Backend::cpu)));
}

TEST_F(KMeansCuda, EmptyClustersAreRepairedAlike) {
  for (const auto& [columns, clusters] : {std::pair{2, 4}, {2, 12}, {64, 100}}) {
    std::string row, text;
    for (int c = 0; c < columns; ++c) row += c ? ",5" : "5";
    for (int k = 0; k < clusters; ++k) text += row + "\n";
    const StartFile start(text);
    Trial run(uniform(3000, static_cast<std::size_t>(columns)),
              {"clusters=" + std::to_string(clusters), start.assignment(), "iterations=12"});
    const auto cpu = run.on(Backend::cpu).finished(), cuda = run.on(Backend::cuda).finished();
    EXPECT_TRUE(same_bytes(cuda->result(), cpu->result())) << columns << " columns";
    EXPECT_TRUE(never_rises(*cuda));
  }
}

// Clusters lose their last point in the middle of a run, which goes on for long afterwards.
TEST_F(KMeansCuda, RepairsOnTheWayAreTheCpus) {
  for (const auto& [points, made, clusters] : {std::tuple{4000, 60, 140}, {4000, 140, 140}, {3000, 20, 200}}) {
    const auto data = gaussians(static_cast<std::size_t>(points), 40, made);
    const StartFile start(*data, clusters);
    Trial run(data, {"clusters=" + std::to_string(clusters), start.assignment(), "stop=iterations", "iterations=40"});
    const auto cpu = run.on(Backend::cpu).finished(), cuda = run.on(Backend::cuda).finished();
    EXPECT_TRUE(same_bytes(cuda->result(), cpu->result())) << made << " Gaussians, K " << clusters;
  }
}

TEST_F(KMeansCuda, BudgetsNeverChangeTheResult) {
  for (const Case& c : every_way()) {
    if (c.clusters > 1000) continue;
    Trial run(c.data, {"clusters=" + std::to_string(c.clusters), "iterations=10"});
    const Table whole = run.on(Backend::cuda).finished()->result();
    const auto cut = run.make();
    for (long count = 1; cut->advance({1e-4, count}); ++count) {
    }
    EXPECT_TRUE(same_bytes(cut->result(), whole)) << c.data->dimensions << " columns, K " << c.clusters;
  }
}

// Points that do not fit are sent in parts, again for each iteration.
TEST_F(KMeansCuda, PartsOfThePointsGiveTheSameBytes) {
  const auto wide = gaussians(5000, 256, 40), narrow = gaussians(300'000, 2, 6);
  std::string text;
  for (int k = 0; k < 6; ++k) text += "5,5\n";
  const StartFile one_place(text);
  for (const auto& [data, settings] : std::vector<std::pair<std::shared_ptr<const Dataset>, std::vector<std::string>>>{
           {narrow, {"clusters=6"}},
           {narrow, {"clusters=6", one_place.assignment(), "iterations=12"}},
           {narrow, {"clusters=40", "start=random", "restarts=2", "iterations=10"}},
           {narrow, {"sweep=4:6", "iterations=10"}},
           {wide, {"clusters=3", "iterations=10"}},
           {wide, {"clusters=150", "iterations=15"}},
           {wide, {"clusters=150", "start=random", "iterations=15", "stop=iterations"}}}) {
    Trial parts(data, settings), whole(data, settings);
    parts.parameters.set("device_memory=1");
    const auto many = parts.on(Backend::cuda).finished(), one = whole.on(Backend::cuda).finished(),
               cpu = whole.on(Backend::cpu).finished();
    const std::string what = settings[0] + ", " + std::to_string(data->dimensions) + " columns";
    EXPECT_TRUE(same_bytes(many->result(), one->result())) << what;
    EXPECT_TRUE(same_bytes(many->result(), cpu->result())) << what;
    EXPECT_TRUE(same_bytes(many->table("centroids"), one->table("centroids"))) << what;
    EXPECT_EQ(many->progress().iteration, one->progress().iteration) << what;
    EXPECT_NEAR(inertia(*many), inertia(*one), 1e-9 * inertia(*one)) << what;
  }
}

// The data are large enough to be copied by several lanes, in both directions.
TEST_F(KMeansCuda, ManyPointsComeAndGoWhole) {
  Trial run(gaussians(3'000'001), {"clusters=4", "iterations=3"});
  const auto cpu = run.on(Backend::cpu).finished(), cuda = run.on(Backend::cuda).finished();
  EXPECT_TRUE(same_bytes(cuda->result(), cpu->result()));
}

// Requesting results recomputes the labels, which must not disturb the labels and bounds that iterations keep.
TEST_F(KMeansCuda, ResultsAskedOnTheWayChangeNothing) {
  Trial run(gaussians(6000, 64, 40), {"clusters=150", "start=random", "iterations=25", "stop=iterations"});
  const Table whole = run.on(Backend::cuda).finished()->result();
  const auto asked = run.make();
  for (int step = 0; asked->advance({1e9, 1}); ++step)
    if (step % 3 == 0) asked->result();
  EXPECT_TRUE(same_bytes(asked->result(), whole));
}

TEST_F(KMeansCuda, ClustersChangeWhileItRuns) {
  for (const int columns : {2, 70}) {
    const auto simulation = Trial(gaussians(4000, columns, 9), {"clusters=4"}).on(Backend::cuda).make();
    simulation->advance({1e9, 6});
    for (const char* clusters : {"9", "2", "120", "1", "8"}) {
      simulation->set("clusters", clusters);
      while (simulation->advance({})) {
      }
      EXPECT_EQ(entry<std::int64_t>(*simulation, "clusters"), std::stoi(clusters));
      EXPECT_TRUE(simulation->snapshot()->find<CentroidPaths>()->rows() >= 2);
    }
  }
}

// What the window shows is available while the run goes on, at most one publication late.
TEST_F(KMeansCuda, TellsTheWindowWhileItRuns) {
  const auto simulation =
      Trial(gaussians(5000), {"clusters=5", "iterations=200", "stop=iterations"}).on(Backend::cuda).make();
  test_buffers::DeviceBuffers buffers;
  simulation->attach(buffers);
  std::size_t told = 0;
  for (int step = 0; step < 20; ++step) {
    ASSERT_TRUE(simulation->advance({1e9, 3}));
    simulation->publish();
    simulation->finish();
    if (const auto paths = simulation->snapshot()->share<CentroidPaths>()) told = std::max(told, paths->rows());
  }
  EXPECT_GT(told, 30u);
  EXPECT_LE(told, 60u);  // iterations made
  const auto twin = Trial(gaussians(5000), {"clusters=5", "iterations=200", "stop=iterations"}).make();
  test_buffers::HostBuffers host;
  twin->attach(host);
  twin->advance({1e9, 60});
  twin->publish();
  const auto expected = twin->snapshot()->share<CentroidPaths>(),
             found = simulation->snapshot()->share<CentroidPaths>();
  for (std::size_t row = 0; row < found->rows() && row < expected->rows(); ++row)
    EXPECT_TRUE(std::ranges::equal(found->row(row), expected->row(row))) << "iteration " << row;
  const auto groups = simulation->snapshot()->share<Groups>();
  ASSERT_NE(groups, nullptr);
  EXPECT_EQ(groups->sizes.size(), 5u);
  std::size_t points = 0;
  for (const std::size_t size : groups->sizes) points += size;
  EXPECT_EQ(points, 5000u);
}

TEST_F(KMeansCuda, PublishesAPicturesColours) {
  for (const char* features : {"rgb", "xyrgb"})
    k_means_pictures::expect_published<test_buffers::DeviceBuffers>(Backend::cuda, features, "zscore");
}

}  // namespace
}  // namespace kinescope::sim::k_means_cuda_test
