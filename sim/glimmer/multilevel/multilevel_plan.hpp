// Plans the course of our own Glimmer as a list of stages.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/glimmer/multilevel/multilevel_state.hpp"

namespace kinescope::sim::glimmer {

// The numbers of points of the levels, the landmarks first; each level is a prefix of the next. From level to level
// they grow by the same factor, at most `decimation`.
std::vector<std::int64_t> plan_levels(std::int64_t points, std::int64_t landmarks, std::int64_t decimation);

// `fits`: the second and last level is fitted to the first (program_fit).
std::vector<MultilevelStage> plan_multilevel(const std::vector<std::int64_t>& levels, bool fits);

// The same for points that all have a place: these are settled on the last level, or, fitted, the landmarks first.
std::vector<MultilevelStage> plan_refinement(const std::vector<std::int64_t>& levels, bool fits);

}  // namespace kinescope::sim::glimmer
