// Shows where a layout is wrong: each point's own normalized stress,
//   s_i = Σ_j (d_ij − δ_ij)² / Σ_j δ_ij²,
// which is the quotient of stress.hpp over the pairs of one point ("stress per point" of I. Borg, P. Groenen, "Modern
// multidimensional scaling", 2005, in this normalization). The stress is the mean of all s_i, each weighted by its
// denominator.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "kinescope/glimmer/input_distances.hpp"

namespace kinescope::sim::glimmer {

struct PointStress {
  std::vector<float> value;  // [points]: 0 is perfect; NaN for points without a place
  std::size_t partners = 0;  // number of points j in each sum
  bool exact = true;         // whether these are all points that have a place
};

// `layout` [points × L] is in the dataset's order and in its (normalized) units; NaN: no place yet. Up to 8,000 placed
// points the result is exact. Beyond, the sums of every point are over the same 1,000 points, drawn without
// replacement. Beyond 50,000 points they are over fewer (but at least 64), so that there are 5 · 10^7 pairs. A point
// whose distances are all 0 has the value 0. O(points · partners · dimensions) on all threads; the result is the same
// for any number of them. Once `stop` is requested, returns soon with no values.
PointStress point_stress(const InputDistances& input, std::span<const float> layout, const std::stop_token& stop = {});

}  // namespace kinescope::sim::glimmer
