// Parameters from a JSON file: {"near": 4, "metric": "cosine"}, or the same under "parameters", as in a report. A
// report's "simulation" must then be the one that is asked for.
#pragma once

#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::app {

// Throws sim::Error (input), one line with the file's name.
void read_preset(const std::string& path, const sim::SimulationKind& kind, sim::ParameterSet& parameters);

// The values in a preset's text, in order; `path` names the file in errors.
std::vector<sim::Remedy> preset_values(const std::string& path, const std::string& text,
                                       const sim::SimulationKind& kind);

// Sets one parameter; for an unknown name the error suggests the nearest known one.
void set_parameter(const sim::SimulationKind& kind, sim::ParameterSet& parameters, const std::string& name,
                   const std::string& value);

}  // namespace kinescope::app
