// Pairs whose distances are known in addition to those that the rounds measure, so that the stress shown is the
// layout's true stress.
//
// A round measures a sample of the pairs, by δ̂. Its figure can be wrong for two reasons: δ̂ is not δ; and a few points
// far from all others, whose pairs make most of the stress, are sampled by chance. Therefore
//   - some pairs are held out: their δ is computed from the whole rows, and the figure is corrected for the error of δ̂;
//   - if the data have such a tail, all pairs of the points farthest from the mean are measured at every moment, and
//     the sample stands for the other pairs. The farther out a point is, the more often it is drawn for a held-out
//     pair.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/glimmer/multilevel/glimmer_formulas.hpp"

namespace kinescope::sim::glimmer {

// A pair whose δ is known exactly beside δ̂, in the layout's units.
struct HeldOutPair {
  std::int32_t i = 0, j = 0;
  float delta = 0, estimate = 0;
  float weight = 0;  // weight in the mean over the level's pairs that are not both far
};

inline constexpr std::uint32_t stream_held_out = 231;
// Numbers of held-out pairs for each level: without a tail, where all pairs are equally likely, and with a tail.
inline constexpr std::int64_t held_out_pairs = 8192, pairs_with_tail = 32'768;

// At most this many points count as far. In 6,000 points of Cauchy noise their pairs make 42 % of the stress; a sample
// without them was off by up to 6 %.
// without them was off by up to 6 %.
inline constexpr std::int64_t most_far_points = 512;

// The points farthest out, if the data have a tail.
struct Tail {
  std::vector<HeldOutPair> pairs;  // [levels × pairs_with_tail] among the points of each level; empty where δ̂ = δ
  std::int64_t far_each = 0;       // capacity for the far points of each level; 0: the data have no tail
  std::vector<std::int64_t> far_here;  // [levels] numbers of far points, multiples of 8
  std::vector<std::int32_t> far;       // [levels × far_each] their slots
  std::vector<float> far_reach;        // [levels × far_each] roughly the mean δ² of each to all points
  std::vector<float> far_delta;        // [levels × far_each × far_each]
  std::vector<float> far_estimate;     // the same with δ̂; empty where δ̂ = δ
};

// Coordinates (coordinates.hpp), in the host's memory.
struct SlotRows {
  RowFormula formula = RowFormula::differences;
  float scale = 1;
  std::int64_t width = 0;
  std::span<const std::int32_t> permutation;  // [points]
  std::span<const float> rows;                // [points × width]
  std::span<const float> norms;               // [points] with RowFormula::products
};

// δ̂² of two rows, in their own unit.
KINESCOPE_HD inline float estimated_square(RowFormula formula, std::int64_t width, const float* a, const float* b,
                                           float norm_a, float norm_b) {
  float sum = 0;
  for (std::int64_t c = 0; c < width; ++c) sum = add_column(formula, sum, a[c], b[c]);
  return square_distance(formula, sum, norm_a, norm_b);
}

// Whether the data have a tail. `sizes` are squared distances from the mean, like norms.
bool has_tail(std::span<const float> sizes);

// Slots gives the dataset's own rows: DenseSlots or SparseSlots (slots.hpp). `exact` says that `rows` are these rows,
// so that δ̂ = δ. O(N · width); with a tail O(most_far_points² · columns) more for each level. Works on all threads.
template <class Slots>
Tail find_tail(const Slots& slots, const SlotRows& rows, bool exact, std::uint64_t seed,
               const std::vector<std::int64_t>& levels);

}  // namespace kinescope::sim::glimmer
