// The layouts on the CPU.
#include "sim/core/cpu_stepper.hpp"
#include "sim/glimmer/force_layout.hpp"
#include "sim/glimmer/make_glimmer.hpp"

namespace kinescope::sim::glimmer {

std::unique_ptr<Simulation> make_glimmer_cpu(const Setup& setup, GlimmerParameters& parameters) {
  if (parameters.output_dimensions.value() == 3) return std::make_unique<ForceLayout<Cpu, 3>>(setup, parameters, setup.threads);
  return std::make_unique<ForceLayout<Cpu, 2>>(setup, parameters, setup.threads);
}

}  // namespace kinescope::sim::glimmer
