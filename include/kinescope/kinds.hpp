// The simulations that the library was built with.
#pragma once

#include <string_view>
#include <vector>

#include "kinescope/simulation.hpp"

namespace kinescope::sim {

const std::vector<const SimulationKind*>& all_kinds();
const SimulationKind* find_kind(std::string_view name);  // null if there is none

}  // namespace kinescope::sim
