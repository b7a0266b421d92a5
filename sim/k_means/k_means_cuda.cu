// k-means on CUDA.
#include "kinescope/executors/cuda_stepper.cuh"
#include "kinescope/executors/devices.hpp"
#include "sim/k_means/distributed/row_sums_of.hpp"
#include "sim/k_means/k_means_course.hpp"
#include "sim/k_means/k_means_cuda.cuh"
#include "sim/k_means/k_means_gathering.hpp"
#include "sim/k_means/k_means_results.hpp"
#include "sim/k_means/k_means_simulation.hpp"
#include "sim/k_means/mixture/mixture_results.hpp"
#include "sim/k_means/mixture/mixture_simulation.hpp"

namespace kinescope::sim::k_means {

namespace {

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(cudaDeviceGetAttribute(&value, which, device));
  return value;
}

}  // namespace

KMeansKernels<Cuda>::KMeansKernels(Cuda& cuda)
    : cuda_(cuda),
      processors_(attribute(cudaDevAttrMultiProcessorCount)),
      matrix_(cuda, processors_, attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin)),
      notes_(cuda),
      passes_(cuda) {
  const int most = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  slice_bytes_ = std::min(most - 1024, slice_limit);
  const auto allow = [](auto* kernel, int bytes) {
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  };
  allow(kernels::fused, std::min(most - 2048, fused_limit));
  allow(kernels::add_changes, slice_bytes_);
  allow(kernels::add_offsets, slice_bytes_);
}

KMeansKernels<Cuda>::~KMeansKernels() = default;

// Once the run has converged nothing else is in flight, so writing a note and waiting for it costs only the copies.
bool KMeansKernels<Cuda>::look(const RunView& run, bool converged, Look& found) {
  if (converged) {
    cuda_.wait();
    notes_.forget();
    notes_.write(run);
    cuda_.wait();
  }
  return notes_.take(found);
}

std::unique_ptr<RowSums> make_cuda_row_sums(const RowSumsSetup& setup) {
  return std::make_unique<RowSumsOf<Cuda>>(setup);
}
Started started_cuda(const Setup& setup) {
  char bus[32] = "";
  CUDA_CHECK(cudaDeviceGetPCIBusId(bus, sizeof bus, setup.device));
  return {std::make_shared<Cuda>(setup), processor_name(Backend::cuda, setup.device) + " " + bus};
}

}  // namespace kinescope::sim::k_means

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cuda(const Setup& setup, KMeansParameters& parameters) {
  if (parameters.model.value() == ClusterModel::mixture)
    return std::make_unique<k_means::MixtureSimulation<Cuda>>(setup, parameters);
  return std::make_unique<k_means::KMeansSimulation<Cuda>>(setup, parameters);
}

}  // namespace kinescope::sim
