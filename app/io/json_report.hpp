// A run's report as JSON: the program's own entries (docs/manual/files.md, "Report") around the simulation's.
#pragma once

#include <string>

#include "kinescope/simulation.hpp"

namespace kinescope::app {

// Waits for the simulation and computes its final figures (may take seconds); writes beside the name, then renames;
// to standard output if the name is "-".
// `drawing`: entries about its pictures, where there were any.
void write_report(const std::string& path, const sim::SimulationKind& kind, sim::ParameterSet& parameters,
                  const sim::Dataset* data, std::uint64_t seed, const std::string& device_name,
                  sim::Simulation& simulation, const sim::Report& drawing = {});

}  // namespace kinescope::app
