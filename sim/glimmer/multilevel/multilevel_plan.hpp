// Plans the course of our own Glimmer as a list of stages.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/glimmer/multilevel/multilevel_state.hpp"

namespace kinescope::sim::glimmer {

// The numbers of points of the levels. The first level is the landmarks; each level is a prefix of the next. Levels
// grow by a constant factor of at most `decimation`.
std::vector<std::int64_t> plan_levels(std::int64_t points, std::int64_t landmarks, std::int64_t decimation);

// The stages of a run. `fits`: the second and last level is fitted to the first (program_fit). `finishes`: the last
// level ends with the stress of all pairs (finish_limit).
std::vector<MultilevelStage> plan_multilevel(const std::vector<std::int64_t>& levels, bool fits, bool finishes);

// The stages of a run with a given start, where all points already have a place. They are settled on the last level; if
// `fits`, the landmarks are settled first.
std::vector<MultilevelStage> plan_refinement(const std::vector<std::int64_t>& levels, bool fits, bool finishes);

}  // namespace kinescope::sim::glimmer
