// The moment of a run that --resume goes on from: the result is the same, and a moment that cannot be one is refused.
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/run_view.hpp"
#include "tests/sim/k_means/k_means_cases.hpp"

namespace kinescope::sim::k_means::moments_test {
namespace {

using k_means_cases::Trial;

// Computes nothing: gives a moment, and keeps those of all iterations.
class Keeper : public Group {
 public:
  explicit Keeper(std::string given) : given_(std::move(given)) {}
  std::string begin(std::shared_ptr<const Dataset>, const RunFacts&) override { return given_; }
  bool wants_moment() const override { return true; }
  void keep(const std::string& moment) override { kept.push_back(moment); }
  float* place(std::size_t) override { return nullptr; }
  std::optional<PartialSums> sum(const Pass&, std::span<const float>) override { return std::nullopt; }
  std::int64_t rows_missing() const override { return 0; }
  KMeansWorkers workers() const override { return {}; }
  void tell(std::function<void()>) override {}
  void report(Report&) const override {}

  std::vector<std::string> kept;

 private:
  const std::string given_;
};

struct Course {
  std::vector<std::string> moments;
  Table centroids;
  long iterations = 0;

  explicit Course(const std::string& from) {
    Trial trial{k_means_cases::gaussians(2000, 3, 6), {"clusters=6", "stop=iterations", "iterations=20"}};
    const auto keeper = std::make_shared<Keeper>(from);
    const std::unique_ptr<Simulation> simulation = trial.make();
    dynamic_cast<KMeans&>(*simulation).compute_with(keeper);
    while (simulation->advance({})) {
    }
    simulation->finish();
    moments = keeper->kept;
    centroids = simulation->table("centroids");
    iterations = simulation->progress().iteration;
  }
};

TEST(Moments, GiveTheSameResult) {
  const Course whole("");
  ASSERT_EQ(whole.moments.size(), 20u);
  for (const std::size_t from : {0u, 1u, 7u, 19u}) {
    const Course rest(whole.moments[from]);
    EXPECT_EQ(rest.moments.size(), 20 - from);
    EXPECT_EQ(rest.iterations, 20);
    for (std::size_t c = 0; c < whole.centroids.columns.size(); ++c)
      for (std::size_t k = 0; k < 6; ++k)
        EXPECT_EQ(rest.centroids.columns[c].numbers[k], whole.centroids.columns[c].numbers[k]);
  }
}

TEST(Moments, AreRefusedInOneLineIfTheyCannotBeOnes) {
  const std::string good = Course("").moments[7];
  const auto forged = [&](const std::function<void(Control&, RunState&, float*)>& forge) {
    std::string moment = good;
    Control control;
    RunState state;
    std::vector<float> centroids(18);
    std::memcpy(static_cast<void*>(&control), moment.data(), sizeof control);
    std::memcpy(static_cast<void*>(&state), moment.data() + sizeof control, sizeof state);
    char* const rest = moment.data() + sizeof control + sizeof state;
    std::memcpy(centroids.data(), rest, 18 * sizeof(float));
    forge(control, state, centroids.data());
    std::memcpy(moment.data(), &control, sizeof control);
    std::memcpy(moment.data() + sizeof control, &state, sizeof state);
    std::memcpy(rest, centroids.data(), 18 * sizeof(float));
    return moment;
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  std::vector<std::string> bad = {good.substr(0, good.size() - 4), good + std::string(4, 0), "x",
                                  std::string(good.size(), 0), std::string(good.size(), '\xff')};
  for (const std::int32_t iterations : {-1, 20, std::numeric_limits<std::int32_t>::max()})
    bad.push_back(forged([&](Control& control, RunState& state, float*) {
      control.iterations = iterations;
      state.iteration = iterations;
    }));
  for (const std::int64_t iteration : {std::int64_t{-5}, std::int64_t{1} << 62})
    bad.push_back(forged([&](Control&, RunState& state, float*) { state.iteration = iteration; }));
  for (const std::int32_t program : {0, -1, program_of(5, Stage::lloyd), program_of(6, Stage::measure)})
    bad.push_back(forged([&](Control&, RunState& state, float*) { state.program = program; }));
  for (const double limit : {nan, infinity, 0.0, -1.0, 1e300, 1e-300})
    bad.push_back(forged([&](Control& control, RunState&, float*) { control.inertia_limit = limit; }));
  for (const double movement : {nan, -1.0})
    bad.push_back(forged([&](Control& control, RunState&, float*) { control.movement = movement; }));
  for (const double centroid : {nan, infinity, 1e30})
    bad.push_back(forged([&](Control&, RunState&, float* centroids) { centroids[17] = static_cast<float>(centroid); }));
  for (std::size_t i = 0; i < bad.size(); ++i) {
    try {
      Course run(bad[i]);
      ADD_FAILURE() << i;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("the saved state does not fit this run"), std::string::npos) << i;
    }
  }
  // What the next iterations do not depend on is not believed either.
  const std::string odd = forged([](Control& control, RunState& state, float*) {
    control.current = control.path_set = control.sized = control.finished = control.placed = 1'000'000;
    control.mover = 1'000'000'000;
    state.level = state.phase = -7;
    state.left = -9;
  });
  constexpr std::size_t before = sizeof(Control) + sizeof(RunState);
  EXPECT_EQ(Course(odd).moments.back().substr(before), Course(good).moments.back().substr(before));
}

}  // namespace
}  // namespace kinescope::sim::k_means::moments_test
