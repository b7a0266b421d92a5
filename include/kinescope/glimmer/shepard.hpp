// A Shepard diagram: how often a distance δ in the data becomes a distance d in the layout (R. Shepard, "The analysis
// of proximities", 1962), as a two-dimensional histogram. A perfect layout lies on the diagonal.
//
//   const ShepardSample sample(input);                  // once for the data
//   const ShepardDiagram diagram = sample.of(layout);   // whenever the layout has moved
#pragma once

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "kinescope/glimmer/input_distances.hpp"

namespace kinescope::sim::glimmer {

struct ShepardDiagram {
  static constexpr std::size_t bins = 128;
  // [bins × bins] numbers of pairs. Row r counts layout distances from r / bins · high on, over one bin; column c does
  // the same for input distances.
  std::vector<std::uint32_t> counts;
  double high = 1;           // both axes go from 0 to here, in the data's (normalized) units
  std::uint64_t pairs = 0;   // pairs whose two points have a place
  std::uint64_t beyond = 0;  // those of them that are beyond `high` on either axis
};

// The pairs, with their input distances; they are the same for every layout of the data. Up to 1,414 points these are
// all pairs, beyond 10^6 of them drawn with replacement. If distances are fed, all pairs of some points are taken
// instead: of so many that there are 10^6 pairs, but of at least 64. 12 bytes a pair.
class ShepardSample {
 public:
  // O(pairs · dimensions) on all threads. Once `stop` is requested, returns soon; the object must then not be used.
  explicit ShepardSample(const InputDistances& input, const std::stop_token& stop = {});

  std::size_t pairs() const { return pairs_.size(); }
  bool exact() const { return exact_; }

  // `layout` [points × L] is in the dataset's order and (normalized) units; pairs with a NaN are left out. Each axis
  // ends at the largest distance, unless that is more than 1.5 times the distance that 99 % do not exceed: then it ends
  // at that distance. Otherwise a hundred far rows of the shuttle data would push all other pairs into a corner. Both
  // axes get the larger of the two ends. O(pairs) on all threads; the result is the same for any number of them.
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
