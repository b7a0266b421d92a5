// Starts with thousands of clusters: k-means‖ on the CPU.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>
#include <tuple>
#include <vector>

#include "kinescope/random.hpp"
#include "sim/k_means/panels_cpu.hpp"
#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::k_means_many_test {
namespace {

using namespace k_means_cases;

// The inertia of K centroids drawn by k-means++ without candidates.
double plain_plus_plus(const Dataset& data, int clusters, std::uint64_t seed) {
  const std::size_t d = data.dimensions;
  std::vector<double> squares(data.points, std::numeric_limits<double>::infinity());
  std::size_t drawn = 0;
  for (int k = 0; k < clusters; ++k) {
    for (std::size_t i = 0; i < data.points; ++i) {
      double square = 0;
      for (std::size_t c = 0; c < d; ++c) {
        const double difference = static_cast<double>(data.values()[i * d + c]) - data.values()[drawn * d + c];
        square += difference * difference;
      }
      squares[i] = std::min(squares[i], square);
    }
    double rest =
        Random(seed, 1).uniform64(static_cast<std::uint64_t>(k)) * std::accumulate(squares.begin(), squares.end(), 0.0);
    for (drawn = 0; drawn + 1 < data.points && rest >= squares[drawn]; ++drawn) rest -= squares[drawn];
  }
  return std::accumulate(squares.begin(), squares.end(), 0.0);
}

// The inertia with which the first iteration begins.
double inertia_of_start(const Simulation& simulation) {
  const History history = simulation.history();
  return history.entries[0].figure;
}

TEST(KMeansMany, StartsAreBetterThanThoseOfPlainPlusPlus) {
  for (const std::shared_ptr<const Dataset>& data :
       {std::shared_ptr<const Dataset>(uniform(11'000, 3)), gaussians(11'000, 4, 2300)}) {
    const auto simulation = k_means_cases::Trial(data, {"clusters=4500", "iterations=1"}).finished();
    EXPECT_LT(inertia_of_start(*simulation), 0.96 * plain_plus_plus(*data, 4500, 7));
  }
}

// The labels and centroids of a run.
struct Outcome {
  std::vector<Table> tables;

  Outcome(const std::shared_ptr<const Dataset>& data, std::vector<std::string> settings, int threads, bool stepwise) {
    k_means_cases::Trial trial(data, settings);
    trial.setup.threads = threads;
    const auto simulation = trial.make();
    while (simulation->advance(stepwise ? Budget{1e9, 1} : Budget{})) {
    }
    tables = {simulation->result(), simulation->table("centroids")};
  }
  friend bool operator==(const Outcome& a, const Outcome& b) {
    return same_bytes(a.tables[0], b.tables[0]) && same_bytes(a.tables[1], b.tables[1]);
  }
};

TEST(KMeansMany, HaveTheSameBitsWithAnyThreadsStepsAndParts) {
  const auto data = gaussians(9001, 5, 3000);
  const std::vector<std::string> settings = {"clusters=4300", "iterations=2"};
  const Outcome one(data, settings, 1, false);
  EXPECT_TRUE(Outcome(data, settings, 4, false) == one);
  EXPECT_TRUE(Outcome(data, settings, 2, true) == one);
  const auto wide = gaussians(9001, 60, 3000);  // 2.2 MB
  EXPECT_TRUE(Outcome(wide, {"clusters=4300", "iterations=1", "device_memory=1"}, 2, false) ==
              Outcome(wide, {"clusters=4300", "iterations=1"}, 2, false));
}

std::uint64_t digest(const Table& table) {
  std::uint64_t sum = 14695981039346656037ull;
  for (const Column& column : table.columns)
    for (const double number : column.numbers) sum = (sum ^ std::bit_cast<std::uint64_t>(number)) * 1099511628211ull;
  return sum;
}

// The number is from the program before k-means‖.
TEST(KMeansMany, BeginAbove4096) {
  k_means_cases::Trial trial(load_dataset({"synthetic:gaussians,n=6000,k=2"}), {"clusters=4096", "iterations=1"});
  EXPECT_EQ(digest(trial.finished()->table("centroids")), 14956976636099502885ull);
}

// Every different point becomes a centroid if there are no more of them than clusters.
TEST(KMeansMany, EqualPointsAreDrawnOnce) {
  constexpr std::size_t different = 4500;
  std::vector<float> values;
  for (std::size_t i = 0; i < 3 * different + 7; ++i)
    for (const std::uint64_t c : {0, 1}) values.push_back(Random(3, 4).uniform(2 * (i % different) + c));
  const auto data = dataset(2, values);
  const auto simulation =
      k_means_cases::Trial(data, {"clusters=" + std::to_string(different), "iterations=3"}).finished();
  EXPECT_EQ(inertia_of_start(*simulation), 0);
  const auto sizes = entry<std::vector<std::int64_t>>(*simulation, "sizes");
  EXPECT_EQ(sizes.front(), 4);
  EXPECT_EQ(sizes.back(), 3);
  // The distances of these are 0 in float32, so nothing can be drawn in proportion to them.
  std::vector<float> near(5000, 1);
  for (std::size_t i = 0; i < 4900; ++i) near[i] = static_cast<float>(i) * std::numeric_limits<float>::denorm_min();
  const auto few = k_means_cases::Trial(dataset(1, near), {"clusters=4200", "iterations=2"}).finished();
  EXPECT_TRUE(few->progress().converged);
  EXPECT_EQ(inertia(*few), 0);
}

// The first rounds draw little but the few far points.
TEST(KMeansMany, FarPointsAreDrawnAndLeaveTheOthersTheirCentroids) {
  auto data = uniform(9000, 2);
  for (std::size_t i = 0; i < 12; ++i)
    data->rows().values.own()[1500 * i] = std::ldexp(1.0f, static_cast<int>(i + 6));  // each far from all before
  const auto simulation = k_means_cases::Trial(data, {"clusters=4200", "iterations=3"}).finished();
  const auto sizes = entry<std::vector<std::int64_t>>(*simulation, "sizes");
  EXPECT_GT(sizes.back(), 0);
  EXPECT_LT(sizes.front(), 60);
  EXPECT_TRUE(never_rises(*simulation));
}

TEST(KMeansMany, RestartsGatherAnew) {
  const auto data = uniform(9000, 3);
  std::vector<double> starts;
  for (const std::uint64_t seed : {5, 6}) {
    k_means_cases::Trial trial(data, {"clusters=4200", "iterations=2"});
    trial.setup.seed = seed;
    starts.push_back(inertia(*trial.finished()));
  }
  k_means_cases::Trial both(data, {"clusters=4200", "iterations=2", "restarts=2"});
  both.setup.seed = 5;
  const auto simulation = both.finished();
  EXPECT_EQ(inertia(*simulation), std::min(starts[0], starts[1]));
  EXPECT_NE(starts[0], starts[1]);
}

// The centroids that are there stay, and thousands more are drawn beside them.
TEST(KMeansMany, ClustersGrowByThousands) {
  const auto simulation = k_means_cases::Trial(uniform(12'000, 2), {"clusters=700", "iterations=4"}).finished();
  const double before = inertia(*simulation);
  simulation->set("clusters", "9000");
  while (simulation->progress().phase == "placing centroids") simulation->advance({1e9, 1});
  while (simulation->advance({})) {
  }
  EXPECT_EQ(entry<std::int64_t>(*simulation, "clusters"), 9000);
  EXPECT_LT(inertia(*simulation), 0.01 * before);
  EXPECT_GT(entry<std::vector<std::int64_t>>(*simulation, "sizes").back(), 0);
}

// A change during the start does not begin it again.
TEST(KMeansMany, ChangesDuringTheStartGoOn) {
  const auto data = uniform(9000, 3);
  const std::vector<std::string> settings = {"clusters=4200", "iterations=2"};
  const Outcome whole(data, settings, 2, false);
  for (const long steps : {1, 3, 5, 600}) {
    const auto simulation = k_means_cases::Trial(data, {"clusters=4200", "iterations=7"}).make();
    simulation->advance({1e9, steps});
    simulation->set("iterations", "2");
    while (simulation->advance({})) {
    }
    EXPECT_TRUE(same_bytes(simulation->table("centroids"), whole.tables[1])) << steps;
  }
}

// What is proved to be farther need not be compared; labels and squares are as if it were.
TEST(KMeansMany, ScreeningChangesNothing) {
  using namespace k_means;
  constexpr int placed = 40, rows = 83;
  const Random random(1, 2);
  for (const int d : {1, 2, 3, 7, 16, 61})
    for (const auto& [scale, offset, step] : {std::tuple{1.0f, 0.0f, 0.0f},
                                              {1.0f, 3000.0f, 0.0f},
                                              {1e-14f, 0.0f, 0.0f},
                                              {1e17f, 0.0f, 0.0f},
                                              {1e18f, 6e18f, 0.0f},
                                              {1e18f, -1.5e19f, 0.0f},
                                              {8.0f, 0.0f, 1.0f},
                                              {1.0f, 0.0f, -1.0f},
                                              {1e-22f, 0.0f, 0.0f}}) {
      const auto value = [&](std::uint64_t i) {
        const float u = random.uniform(i), tail = step < 0 ? 1 / (1.0f - u) : u;  // a step < 0: heavy tails
        return offset + scale * (step > 0 ? std::floor(8 * tail) / 8 : tail);
      };
      alignas(32) static float x[panel * 61];
      std::vector<float> centroids(static_cast<std::size_t>((placed + rows) * d)), starts;
      for (int e = 0; e < panel * d; ++e) x[e] = value(static_cast<std::uint64_t>(e));
      for (std::size_t e = 0; e < centroids.size(); ++e) centroids[e] = value(1'000'000 + e);
      for (int c = 0; c < d; ++c) centroids[static_cast<std::size_t>(50 * d + c)] = x[c * panel + 77];
      for (int k = placed; k < placed + rows; ++k)
        starts.push_back(start_of_row(&centroids[static_cast<std::size_t>(k * d)], d));
      PanelLabels whole, found;
      nearest_of_panel(x, centroids.data(), placed + rows, d, whole);
      nearest_of_panel(x, centroids.data(), placed, d, found);
      nearer_of_panel(x, &centroids[static_cast<std::size_t>(placed * d)], starts.data(), placed, rows, d, found);
      EXPECT_EQ(std::memcmp(whole.label, found.label, sizeof whole.label), 0) << d << ' ' << scale << ' ' << offset;
      EXPECT_EQ(std::memcmp(whole.square, found.square, sizeof whole.square), 0) << d << ' ' << scale << ' ' << offset;
    }
}

}  // namespace
}  // namespace kinescope::sim::k_means_many_test
