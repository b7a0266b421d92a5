// The springs on the CPU.
#include "kinescope/executors/cpu_stepper.hpp"
#include "sim/springs/springs_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, SpringsParameters& parameters) {
  return std::make_unique<springs::SpringsSimulation<Cpu>>(setup, parameters);
}

}  // namespace kinescope::sim
