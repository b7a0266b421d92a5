// What a layout's report says of its quality.
#pragma once

#include <span>

#include "sim/core/dataset.hpp"
#include "sim/core/report.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

// Adds the stress ("stress", and "stress_is": "exact" or "sampled") and, if the parameters name a neighbourhood, its
// size ("neighbourhood"), "trustworthiness", "continuity" and "neighbourhood_is". `layout` as for full_stress; so is
// `start`, a given start of which the stress is told too ("start_stress"), or empty.
void add_quality(Report& report, const Dataset& data, GlimmerParameters& parameters, std::span<const float> layout,
                 std::span<const float> start);

}  // namespace kinescope::sim::glimmer
