// The simulations that this program has, in the order of CMake's list.
#pragma once

#include <string_view>
#include <vector>

#include "sim/core/simulation.hpp"

namespace kinescope::app {

const std::vector<const sim::SimulationKind*>& simulation_kinds();
const sim::SimulationKind* find_simulation(std::string_view name);  // nullptr if there is none

}  // namespace kinescope::app
