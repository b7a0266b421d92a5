// k-means on the CPU.
#include "sim/k_means/k_means_cpu.hpp"

#include "sim/core/cpu_stepper.hpp"
#include "sim/k_means/k_means_simulation.hpp"
#include "sim/k_means/make_k_means.hpp"

namespace kinescope::sim::k_means {

std::unique_ptr<Simulation> make_k_means_cpu(const Setup& setup, KMeansParameters& parameters) {
  return std::make_unique<KMeansSimulation<Cpu>>(setup, parameters);
}

}  // namespace kinescope::sim::k_means
