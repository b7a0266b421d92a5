// Parameters from a JSON file: {"near": 4, "metric": "cosine"}, or the same under "parameters", as in a report. A
// report's "simulation" must then be the one that is asked for, and its "seed" belongs to the preset.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kinescope/error.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::app {

// Returns the seed of a report or session. Throws sim::Error (input), one line with the file's name.
std::optional<std::uint64_t> read_preset(const std::string& path, const sim::SimulationKind& kind,
                                         sim::ParameterSet& parameters);

struct PresetValues {
  std::vector<sim::Remedy> parameters;  // in order
  std::optional<std::uint64_t> seed;
};

// What a preset's text holds; `path` names the file in errors.
PresetValues preset_values(const std::string& path, const std::string& text, const sim::SimulationKind& kind);

// Sets one parameter; for an unknown name the error suggests the nearest known one.
void set_parameter(const sim::SimulationKind& kind, sim::ParameterSet& parameters, const std::string& name,
                   const std::string& value);

}  // namespace kinescope::app
