// Where a layout is wrong: each point's own share of the normalized stress,
//   s_i = Σ_j (d_ij − δ_ij)² / Σ_j δ_ij²,
// the quotient of stress.hpp over the pairs of one point ("stress per point" of I. Borg, P. Groenen, "Modern
// multidimensional scaling", 2005, in this normalization). The stress is the mean of all s_i, each
// weighted by its denominator.
#pragma once

#include <span>
#include <stop_token>
#include <vector>

#include "sim/glimmer/quality/input_distances.hpp"

namespace kinescope::sim::glimmer {

struct PointStress {
  std::vector<float> value;  // [points]: 0 is perfect; NaN for points without a place
  std::size_t partners = 0;  // over so many points j the sums are taken
  bool exact = true;         // these are all that have a place
};

// `layout` [points × L] is in the dataset's order and in its (normalized) units; NaN: no place yet. Up to 8,000 placed
// points it is exact; beyond, the sums are over the same 1,000 of them for every point, drawn without replacement, and
// fewer (but at least 64) beyond 50,000 points, so that there are 5 · 10^7 pairs. A point whose distances are all 0 has
// the value 0. O(points · partners · dimensions) on all threads, the same for any number of them. Once `stop` is asked
// for, it returns soon with no values.
PointStress point_stress(const InputDistances& input, std::span<const float> layout, const std::stop_token& stop = {});

}  // namespace kinescope::sim::glimmer
