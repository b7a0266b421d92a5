// Gray–Scott on the CPU.
#include "kinescope/executors/cpu_stepper.hpp"
#include "sim/gray_scott/gray_scott_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, GrayScottParameters& parameters) {
  return std::make_unique<gray_scott::GrayScottSimulation<Cpu>>(setup, parameters);
}

}  // namespace kinescope::sim
