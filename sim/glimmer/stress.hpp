// Normalized stress of a layout: Σ_{i<j} (d_ij − δ_ij)² / Σ_{i<j} δ_ij² (no square root).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

#include "sim/core/dataset.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"
#include "sim/glimmer/quality/input_distances.hpp"

namespace kinescope::sim {

struct FullStress {
  double value = 0;
  bool exact = true;
  double standard_error = 0;  // of a sample
};

// `layout` [points × output_dimensions] is in the dataset's order and (normalized) units. Points with a NaN are left
// out; if no point is left, the result is NaN. Up to 20,000 points (8,000 with sparse rows) the stress is exact, in
// O(N² H). Beyond, it is estimated from 10^7 (2 · 10^6) pairs drawn with replacement, or, if the distances are fed,
// from all pairs of some drawn points. Points that are far from the others or badly placed are drawn more often, and
// their terms count less (M. Hansen, W. Hurwitz, "On the theory of sampling from finite populations", 1943), so that
// few far points, which carry most of both sums, do not spoil the figure. Uses all threads; the figure is the same for
// any number of them. Once `stop` is requested, returns soon with NaN. Callers in a hurry pass a lower limit than
// 20,000 as `most_exact`.
FullStress full_stress(const glimmer::InputDistances& input, std::span<const float> layout,
                       const std::stop_token& stop = {}, std::size_t most_exact = 20'000);
FullStress full_stress(const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout);

}  // namespace kinescope::sim
