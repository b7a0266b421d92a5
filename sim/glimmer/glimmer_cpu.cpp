// The layouts on the CPU.
#include "sim/core/cpu_stepper.hpp"
#include "sim/glimmer/force_layout.hpp"
#include "sim/glimmer/multilevel_cpu.hpp"
#include "sim/glimmer/multilevel_layout.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, GlimmerParameters& parameters) {
  return glimmer::make_layout<Cpu>(setup, parameters);
}

}  // namespace kinescope::sim
