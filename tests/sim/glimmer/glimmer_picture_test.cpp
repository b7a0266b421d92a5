// Tests of what the user sees of the default layout: it is one picture that converges, its figure is true at every
// moment, and parameters take effect.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "kinescope/data/load.hpp"
#include "tests/sim/glimmer/glimmer_film.hpp"

namespace kinescope::sim::glimmer_picture_test {
namespace {

using cases::aligned_move;
using cases::Film;
using cases::film;
using cases::Trial;

std::shared_ptr<const Dataset> banknotes() {  // four columns, two overlapping bent clusters
  std::vector<float> values;
  for (std::uint64_t i = 0; i < 1372; ++i) {
    const Random random(3, 77);
    const double t = random.normal(i, 0), side = i % 2 ? 1.8 : -1.8;
    values.push_back(static_cast<float>(side + 1.5 * random.normal(i, 1)));
    values.push_back(static_cast<float>(5 * t - 0.8 * side * side));
    values.push_back(static_cast<float>(-0.6 * 5 * t + 2 * random.normal(i, 2)));
    values.push_back(static_cast<float>(-0.35 * 5 * t + 1.5 * random.normal(i, 3)));
  }
  return cases::dataset(1372, 4, std::move(values));
}

std::shared_ptr<const Dataset> load(const std::string& source) {
  DataRequest request;
  request.source = source;
  return load_dataset(request);
}

struct Named {
  std::string name;
  std::shared_ptr<const Dataset> data;
};

std::vector<Named> pictures() {
  std::vector<Named> all = {{"banknotes", banknotes()},
                            {"colours", load("synthetic:colours,n=4096")},
                            {"noise in 20 columns", cases::noise(600, 20)},
                            {"topics", load("synthetic:topics,n=4000,h=64")}};
  const char* folder = std::getenv("KINESCOPE_DATA");
  for (const char* name : {"cancer.csv", "digits.csv", "iris.csv"}) {
    const std::filesystem::path path = std::filesystem::path(folder ? folder : "") / name;
    if (folder && std::filesystem::exists(path)) all.push_back({name, load(path.string())});
  }
  return all;
}

TEST(GlimmerPicture, IsOneLayoutThatConverges) {
  for (const Named& each : pictures()) {
    Trial run(each.data);
    const Film seen = film(run);
    ASSERT_GT(seen.moves.size(), 20u) << each.name;
    EXPECT_LT(seen.moves.size(), 300u) << each.name << ": more than half a minute at the default pace";
    const auto far = std::count_if(seen.moves.begin(), seen.moves.end(), [](double move) { return move > 0.15; });
    EXPECT_LE(static_cast<double>(far), 0.05 * static_cast<double>(seen.moves.size())) << each.name;
    // The picture settles: in the last eighth of the run, moves are small.
    const std::size_t late = seen.moves.size() - seen.moves.size() / 8;
    for (std::size_t k = late; k < seen.moves.size(); ++k)
      EXPECT_LT(seen.moves[k], 0.07) << each.name << ", iteration " << k + 2 << " of " << seen.moves.size();
  }
}

TEST(GlimmerPicture, FigureIsItsStressAtEveryMoment) {
  for (const Named& each : pictures()) {
    Trial run(each.data);
    const Film seen = film(run);
    for (std::size_t k = 0; k < seen.pictures.size(); k += 1 + seen.pictures.size() / 16) {
      const double stress = run.stress(seen.pictures[k]);
      EXPECT_NEAR(seen.figures[k], stress, 0.01 * stress + 1e-12)
          << each.name << ", iteration " << k + 1 << ", " << seen.names[k];
    }
    EXPECT_NEAR(seen.figures.back(), run.stress(seen.pictures.back()), 0.01 * seen.figures.back() + 1e-12) << each.name;
  }
}

// Data in which a few points make most of the stress, and other data that are no plain noise. They have 20 columns, so
// that δ̂ is not δ.
std::vector<Named> hostile(std::size_t points) {
  constexpr std::size_t columns = 20;
  const std::shared_ptr<Dataset> uniform = cases::noise(points, columns);
  const Random random(5, 10);
  const auto make = [&](const char* name, auto value) {
    std::vector<float> values(points * columns);
    for (std::size_t k = 0; k < values.size(); ++k)
      values[k] = static_cast<float>(value(k / columns, k % columns, double(uniform->values()[k]), random.normal(k)));
    return Named{name, cases::dataset(points, columns, std::move(values))};
  };
  const auto first = [&](std::size_t i) { return double(uniform->values()[i * columns]); };
  return {
      make("tangent of noise", [](auto, auto, double u, double) { return std::tan(3.14 * (u - 0.5)); }),
      make("normal over uniform", [&](auto i, auto, double, double z) { return z / std::max(1e-4, first(i)); }),
      make("one far out", [](auto i, auto, double u, double) { return i == 77 ? 1e4 : u; }),
      make("five far out", [](auto i, auto c, double u, double) { return i % 300 == 7 && i / 300 == c ? 1e3 : u; }),
      make("one in a hundred far out",
           [](auto i, auto c, double u, double) { return i % 100 == 0 && c == 0 ? 1e5 : u; }),
      make("two scales", [](auto i, auto, double, double z) { return i % 2 ? z : 1000 * z; }),
      make("duplicates", [&](auto i, auto c, double,
                             double) { return random.normal(columns * static_cast<std::size_t>(25 * first(i)) + c); }),
      make("categories", [&](auto i, auto c, double, double) {
        return static_cast<std::size_t>(4 * double(uniform->values()[i * columns + c / 4])) == c % 4 ? 1.0 : 0.0;
      })};
}

TEST(GlimmerPicture, FigureIsItsStressOfDataWithTails) {
  for (const Named& each : hostile(1600))
    for (const char* metric : {"metric=euclidean", "metric=manhattan", "metric=cosine"}) {
      Trial run(each.data, {metric, "landmarks=500"});
      const Film seen = film(run);
      std::string before;
      for (std::size_t k = 0, next = 0; k < seen.pictures.size(); ++k) {
        if (k != next && k + 1 != seen.pictures.size() && seen.names[k] == before) continue;
        next = k + seen.pictures.size() / 6;
        before = seen.names[k];
        const double stress = run.stress(seen.pictures[k]);
        EXPECT_NEAR(seen.figures[k], stress, 0.01 * stress + 1e-12)
            << each.name << ", " << metric << ", iteration " << k + 1 << ", " << seen.names[k];
      }
    }
}

TEST(GlimmerPicture, FiguresNameSaysWhetherPairsAreSampled) {
  Trial whole(cases::noise(500, 5));
  for (const std::string& name : film(whole).names) EXPECT_EQ(name, "stress, all pairs");
  Trial large(cases::noise(9000, 5));
  EXPECT_EQ(film(large).names.back(), "stress, sampled");
}

TEST(GlimmerPicture, ConvergedOnlyWhenItHas) {
  for (const char* algorithm : {"algorithm=glimmer", "algorithm=glimmer-2007"}) {
    Trial run(cases::noise(800, 6), {algorithm, "maximum_iterations=7"});
    const auto simulation = run.finished();
    EXPECT_EQ(simulation->progress().iteration, 7) << algorithm;
    EXPECT_TRUE(simulation->progress().cut) << algorithm;
    run.parameters.set("maximum_iterations=0");
    EXPECT_FALSE(run.finished()->progress().cut) << algorithm;
  }
}

// A second at the default pace is ten iterations.
TEST(GlimmerPicture, LiveParametersAreFeltWithinASecond) {
  for (const Named& each : pictures()) {
    Trial run(each.data);
    const std::vector<double> moves = film(run).moves;
    const auto at = [&](long when, const char* name, const char* value) {
      const auto simulation = run.make();
      simulation->advance({INFINITY, when});
      if (*name) simulation->set(name, value);
      simulation->advance({INFINITY, 10});
      return std::pair(Trial::rows(simulation->result()), simulation->progress());
    };
    const long when = 2;
    const auto [plain, plain_progress] = at(when, "", "");
    const auto [slow, slow_progress] = at(when, "step_strength", "0.05");
    EXPECT_GT(aligned_move(plain, slow), 1e-3) << each.name << ": step_strength";
    const auto whole = static_cast<long>(moves.size()) + 1;
    const auto simulation = run.make();
    simulation->advance({INFINITY, when});
    simulation->set("stop_threshold", "0.5");
    while (simulation->advance({})) {
    }
    EXPECT_LT(simulation->progress().iteration, 0.8 * static_cast<double>(whole)) << each.name << ": stop_threshold";
  }
}

}  // namespace
}  // namespace kinescope::sim::glimmer_picture_test
