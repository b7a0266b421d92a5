// Normalized stress of a layout: Σ_{i<j} (d_ij − δ_ij)² / Σ_{i<j} δ_ij² (no square root).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/glimmer/input_distances.hpp"

namespace kinescope::sim {

struct FullStress {
  double value = 0;
  bool exact = true;
  double standard_error = 0;  // of a sample
};

// How much work goes into a stress. With sparse rows at most 8,000 points are exact, and at most 2 · 10^6 pairs drawn.
struct StressEffort {
  std::size_t most_exact = 20'000;   // points
  std::size_t drawn = 10'000'000;    // pairs
  std::size_t measured = 4'000'000;  // distances that tell which points to draw more often
};

// What two cores do in about a tenth of a second, by the count of the numbers to be compared; never by a clock, so that
// the figure is the same on every machine.
StressEffort brief_effort(const glimmer::InputDistances& input);

// `layout` [points × output_dimensions] is in the dataset's order and (normalized) units. Points with a NaN are left
// out; if no point is left, the result is NaN. Up to `effort.most_exact` points the stress is exact, in O(N² H).
// Beyond, it is estimated from pairs drawn with replacement, or, if the distances are fed, from all pairs of some drawn
// points. Points that are far from the others or badly placed are drawn more often, and their terms count less (M.
// Hansen, W. Hurwitz, "On the theory of sampling from finite populations", 1943), so that few far points, which carry
// most of both sums, do not spoil the figure. Uses all threads; the figure is the same for any number of them. Once
// `stop` is requested, returns soon with NaN.
FullStress full_stress(const glimmer::InputDistances& input, std::span<const float> layout,
                       const std::stop_token& stop = {}, StressEffort effort = {});
FullStress full_stress(const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout);

}  // namespace kinescope::sim
