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
};

// `layout` [points × output_dimensions] is in the dataset's order and (normalized) units; points with a NaN are left
// out (the result is NaN if none is left). Up to 20,000 points (8,000 with sparse rows) it is exact, in O(N² H); beyond
// that it is estimated from 10^7 (2 · 10^6) pairs drawn with replacement; with distances that are fed from all pairs of
// some points. Uses all threads; the figure is the same for any number of them. Once `stop` is asked for, it ends soon
// with NaN. `most_exact`: a lower limit than 20,000 for those in a hurry.
FullStress full_stress(const glimmer::InputDistances& input, std::span<const float> layout,
                       const std::stop_token& stop = {}, std::size_t most_exact = 20'000);
FullStress full_stress(const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout);

}  // namespace kinescope::sim
