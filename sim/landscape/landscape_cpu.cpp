// The landscape on the CPU.
#include "sim/core/cpu_stepper.hpp"
#include "sim/landscape/landscape_simulation.hpp"
#include "sim/landscape/make_landscape.hpp"

namespace kinescope::sim::landscape {

std::unique_ptr<Simulation> make_landscape_cpu(const Setup& setup, LandscapeParameters& parameters) {
  return std::make_unique<LandscapeSimulation<Cpu>>(setup, parameters);
}

}  // namespace kinescope::sim::landscape
