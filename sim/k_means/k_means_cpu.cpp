// k-means on the CPU.
#include "sim/k_means/k_means_cpu.hpp"

#include "kinescope/executors/cpu_stepper.hpp"
#include "sim/k_means/distributed/row_sums_of.hpp"
#include "sim/k_means/k_means_course.hpp"
#include "sim/k_means/k_means_gathering.hpp"
#include "sim/k_means/k_means_results.hpp"
#include "sim/k_means/k_means_simulation.hpp"
#include "sim/k_means/mixture/mixture_results.hpp"
#include "sim/k_means/mixture/mixture_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, KMeansParameters& parameters) {
  if (parameters.model.value() == ClusterModel::mixture)
    return std::make_unique<k_means::MixtureSimulation<Cpu>>(setup, parameters);
  return std::make_unique<k_means::KMeansSimulation<Cpu>>(setup, parameters);
}

namespace k_means {

std::unique_ptr<RowSums> make_cuda_row_sums(const RowSumsSetup& setup);  // k_means_cuda.cu
Started started_cuda(const Setup& setup);

std::unique_ptr<RowSums> make_row_sums(const RowSumsSetup& setup) {
  if constexpr (cuda_built)
    if (setup.setup.backend == Backend::cuda) return make_cuda_row_sums(setup);
  return std::make_unique<RowSumsOf<Cpu>>(setup);
}

Started started(const Setup& setup) {
  if constexpr (cuda_built)
    if (setup.backend == Backend::cuda) return started_cuda(setup);
  return {};
}

}  // namespace k_means

}  // namespace kinescope::sim
