// A Shepard diagram: how often a distance δ in the data becomes a distance d in the layout (R. Shepard, "The analysis
// of proximities", 1962), as a two-dimensional histogram. A perfect layout lies on the diagonal.
//
//   const ShepardSample sample(input);              // once for the data
//   const ShepardDiagram diagram = sample.of(layout);   // as often as the layout moves
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "sim/glimmer/quality/input_distances.hpp"

namespace kinescope::sim::glimmer {

struct ShepardDiagram {
  static constexpr std::size_t bins = 128;
  // [bins × bins] pairs: row r has the layout distances from r / bins · high on, column c the input distances alike.
  std::vector<std::uint32_t> counts;
  double high = 1;           // both axes go from 0 to here, in the data's (normalized) units
  std::uint64_t pairs = 0;   // whose two points have a place
  std::uint64_t beyond = 0;  // of them, pairs that lie beyond `high` on either axis
};

// The pairs, the same for every layout of the data, with their input distances: all pairs up to 1,414 points, else 10^6
// of them drawn with replacement; with distances that are fed, all pairs of as many points as give 10^6 (at least 64).
// 12 bytes a pair.
class ShepardSample {
 public:
  // O(pairs · dimensions) on all threads. Once `stop` is asked for it ends soon and must not be used.
  explicit ShepardSample(const InputDistances& input, const std::stop_token& stop = {});

  std::size_t pairs() const { return pairs_.size(); }
  bool exact() const { return exact_; }

  // `layout` [points × L] in the dataset's order and (normalized) units; pairs with a NaN are left out. The axes end
  // where 1 % of the distances lie beyond, or at the largest if that is no more than half as far again: in the shuttle
  // data a hundred far rows would push all other pairs into a corner. O(pairs) on all threads, the same for any number
  // of them.
  ShepardDiagram of(std::span<const float> layout) const;

 private:
  struct Pair {
    std::uint32_t i, j;
    float delta;
  };
  std::size_t points_;
  std::vector<Pair> pairs_;
  bool exact_ = true;
};

}  // namespace kinescope::sim::glimmer
