// From a dataset to what the kernels read: rows normalized, scaled, permuted, padded; and the orientation that layouts
// keep.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/glimmer/dissimilarity.hpp"
#include "sim/glimmer/force_state.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

struct Prepared {
  std::vector<std::int32_t> permutation;  // [points] slot → the input's index; each level is a prefix of the slots
  std::vector<float> values;              // [points × stride] by slot, in internal units
  std::int32_t stride = 0;
  float unit = 1;                // an internal unit in the data's (normalized) units
  std::vector<float> reference;  // [points × output_dimensions] by slot: the data on its principal axes
};

// O(N · H). Internal units: the widest column spans 1, so that forces need not know the data's units. Throws Error
// (input) if the range is beyond 1e36.
Prepared prepare(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);

// Sizes of the levels from the coarsest on, each followed by interpolation and relaxation: the V-cycle as a list. No
// level is without points.
std::vector<Stage> plan_stages(std::int64_t points, GlimmerParameters& parameters);

// The w + 1 taps of the termination's filter: the derivative of a low-pass sinc under a Hann window, newest value
// first.
std::vector<float> termination_filter(int window);

}  // namespace kinescope::sim::glimmer
