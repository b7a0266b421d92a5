// The layouts on the CPU.
#include "kinescope/executors/cpu_stepper.hpp"
#include "sim/glimmer/make_layout.hpp"
#include "sim/glimmer/multilevel/fit_cpu.hpp"
#include "sim/glimmer/multilevel/multilevel_cpu.hpp"
#include "sim/glimmer/multilevel/polish_cpu.hpp"
#include "sim/glimmer/multilevel/round_cpu.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, GlimmerParameters& parameters) {
  return glimmer::make_layout<Cpu>(setup, parameters);
}

}  // namespace kinescope::sim
