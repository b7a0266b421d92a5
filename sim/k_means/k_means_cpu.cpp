// k-means on the CPU.
#include "sim/k_means/k_means_cpu.hpp"

#include "sim/core/executors/cpu_stepper.hpp"
#include "sim/k_means/k_means_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, KMeansParameters& parameters) {
  return std::make_unique<k_means::KMeansSimulation<Cpu>>(setup, parameters);
}

}  // namespace kinescope::sim
