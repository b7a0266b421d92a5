// Mean shift on the CPU.
#include "sim/mean_shift/mean_shift_cpu.hpp"

#include "sim/core/cpu_stepper.hpp"
#include "sim/mean_shift/make_mean_shift.hpp"
#include "sim/mean_shift/mean_shift_simulation.hpp"

namespace kinescope::sim::mean_shift {

std::unique_ptr<Simulation> make_mean_shift_cpu(const Setup& setup, MeanShiftParameters& parameters) {
  return std::make_unique<MeanShiftSimulation<Cpu>>(setup, parameters);
}

}  // namespace kinescope::sim::mean_shift
