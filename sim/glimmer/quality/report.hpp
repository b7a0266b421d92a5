// A layout's table, and the part of its report that concerns its quality.
#pragma once

#include <span>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "kinescope/report.hpp"

namespace kinescope::sim::glimmer {

// The result of a layout [points × L]: the columns x, y[, z]; label if there is one; node of a graph.
Table layout_table(const Dataset& data, std::span<const float> layout, std::size_t L);

// Adds the stress ("stress", "stress_is": "exact" or "sampled", and its "stress_error" if sampled). If the parameters
// name a neighbourhood, also adds its size ("neighbourhood"), "trustworthiness", "continuity" and "neighbourhood_is".
// `layout` is as for full_stress. `start` is empty, or a given start in the same form, whose stress is added too
// ("start_stress"), and the seconds of them are "figure_seconds", unless they are `brief` (brief_effort). If pairs have
// no distance, "pairs_left_out" counts them. "edges_are" tells what the weights of a graph were taken for.
void add_quality(Report& report, const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout,
                 std::span<const float> start, bool brief);

}  // namespace kinescope::sim::glimmer
