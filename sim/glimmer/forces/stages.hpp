// The stages of the force layouts.
#pragma once

#include <cstdint>
#include <vector>

#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "sim/glimmer/forces/force_state.hpp"

namespace kinescope::sim::glimmer {

// The V-cycle as a list of stages, from the coarsest level to the finest. The coarsest level is only relaxed; each
// finer level interpolates its new points and is then relaxed. No level is empty. A run with a given start, and a
// single-level algorithm, has one stage, which relaxes all points. The hybrid layout has two levels.
std::vector<Stage> plan_stages(std::int64_t points, GlimmerParameters& parameters);

}  // namespace kinescope::sim::glimmer
