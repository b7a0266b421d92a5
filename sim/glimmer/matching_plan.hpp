// What our own Glimmer prepares on the host: its list of stages, its scale, its data by columns.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/glimmer/matching_state.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::glimmer {

// Indices into the simulation's names of phases.
enum class MatchingPhase : std::int32_t { interpolate = 0, relax = 1, polish = 2 };

// The list of stages; `levels` as plan_stages gives them.
std::vector<MatchingStage> plan_matching(const std::vector<Stage>& levels);

// 1 / root mean square of δ over 4,096 drawn pairs of rows; 1 if all are equal.
float distance_scale(const Prepared& prepared, std::int64_t points, Metric metric, std::uint64_t seed);

// Row-major values [points × prepared.stride] as columns [dimensions × stride], zeros past the last point.
std::vector<float> as_columns(const Prepared& prepared, std::int64_t points, std::int32_t dimensions,
                              std::int64_t stride);

}  // namespace kinescope::sim::glimmer
