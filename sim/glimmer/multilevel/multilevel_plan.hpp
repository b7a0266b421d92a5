// The course of our own Glimmer as a list of stages.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/glimmer/multilevel/multilevel_state.hpp"

namespace kinescope::sim::glimmer {

// Points of the levels, the landmarks first; each is a prefix of the next. From level to level their number grows by
// the same factor, `decimation` at most.
std::vector<std::int64_t> plan_levels(std::int64_t points, std::int64_t landmarks, std::int64_t decimation);

std::vector<MultilevelStage> plan_multilevel(const std::vector<std::int64_t>& levels);

}  // namespace kinescope::sim::glimmer
