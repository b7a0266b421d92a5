// The landscape on the CPU.
#include "kinescope/executors/cpu_stepper.hpp"
#include "sim/landscape/landscape_results.hpp"
#include "sim/landscape/landscape_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, LandscapeParameters& parameters) {
  return std::make_unique<landscape::LandscapeSimulation<Cpu>>(setup, parameters);
}

}  // namespace kinescope::sim
