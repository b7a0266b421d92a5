// Glimmer on the CPU.
#include "sim/core/cpu_stepper.hpp"
#include "sim/glimmer/glimmer_algorithm.hpp"

namespace kinescope::sim::glimmer {

std::unique_ptr<Simulation> make_glimmer_cpu(const Setup& setup, GlimmerParameters& parameters) {
  return make_glimmer<Cpu>(setup, parameters, setup.threads);
}

}  // namespace kinescope::sim::glimmer
