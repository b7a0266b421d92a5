// Mean shift on the CPU.
#include "sim/mean_shift/mean_shift_cpu.hpp"

#include "sim/core/executors/cpu_stepper.hpp"
#include "sim/mean_shift/mean_shift_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, MeanShiftParameters& parameters) {
  return std::make_unique<mean_shift::MeanShiftSimulation<Cpu>>(setup, parameters);
}

}  // namespace kinescope::sim
