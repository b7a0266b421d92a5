// Shared by the functions that make sample data: the keys that a request may set, streams of random numbers, progress.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/data/made.hpp"
#include "kinescope/parameter.hpp"
#include "kinescope/random.hpp"
#include "sim/data/limits.hpp"

namespace kinescope::sim {

// The purpose of each stream of random numbers. A number must never change, so that the data never change.
enum Stream : std::uint32_t {
  grid_noise = 101,
  swissroll_points = 102,
  gaussian_points = 103,
  gaussian_shapes = 104,
  topic_points = 105,
  topic_centres = 106,
  document_words = 107,
  rewired_edges = 108
};

// The keys of all made data; each kind of data visits its own.
struct Keys : ParameterSet {
  static constexpr long most_points = static_cast<long>(maximum_rows);

  explicit Keys(long points) : n{{"n", "", "number of points"}, points, {1, most_points}} {}

  Integer n;
  Integer h{{"h", "", "number of columns"}, 8, {2, static_cast<long>(maximum_columns)}};
  Real noise{{"noise", "", "standard deviation of the noise in column 2"}, 0, {0, 1e6}};
  Integer k{{"k", "", "number of columns"}, 2, {1, static_cast<long>(maximum_columns)}};
  Integer clusters{{"clusters", "", "number of Gaussians"}, 3, {1, 1'000'000}};
  Real p{{"p", "", "fraction of the edges that are rewired"}, 0.1, {0, 1}};
  Integer branching{{"branching", "", "number of children of a node"}, 2, {1, 1'000'000}};
  Integer level{{"level", "", "how many times three copies are joined"}, 6, {0, 15}};
  Integer seed{{"seed", "", "seed of the data's own random numbers"}, 1, {0, std::numeric_limits<long>::max()}};
  std::vector<Parameter*> used = {&n, &h, &noise, &k, &clusters, &p, &branching, &level, &seed};  // at first all

  void visit(const std::function<void(Parameter&)>& f) override {
    std::for_each(used.begin(), used.end(), [&](Parameter* parameter) { f(*parameter); });
  }
  std::size_t points() const { return static_cast<std::size_t>(n.value()); }
  Random random(Stream stream) const { return Random(static_cast<std::uint64_t>(seed.value()), stream); }
};

// Reports the progress and checks for a request to stop, once every few thousand points.
class Ticker {
 public:
  Ticker(LoadProgress* progress, std::size_t points) : progress_(progress), points_(points) {}

  void operator()(std::size_t point) const {
    if (point % 8192 == 0) tell_progress(progress_, point, points_);
  }

 private:
  LoadProgress* progress_;
  std::size_t points_;
};

// Sample data that are rows of numbers; made.hpp says what each holds.
MadeData make_grid(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_swissroll(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_simplex(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_colours(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_gaussians(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_topics(const std::string& source, const Keys& keys, LoadProgress* progress);
MadeData make_documents(const std::string& source, const Keys& keys, LoadProgress* progress);

}  // namespace kinescope::sim
