// The simulations that this program has and their scenes, in the order of CMake's list.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "kinescope/simulation.hpp"

namespace kinescope::app {

struct SceneKind;

// Each kind's parameters include those of its view.
const std::vector<const sim::SimulationKind*>& simulation_kinds();
const sim::SimulationKind* find_simulation(std::string_view name);  // nullptr if there is none
// The parameters with which pictures begin: normalize=auto, where there is that parameter, else the kind's defaults.
std::unique_ptr<sim::ParameterSet> first_parameters(const sim::SimulationKind& kind);
const SceneKind& scene_of(const sim::SimulationKind& kind);

}  // namespace kinescope::app
