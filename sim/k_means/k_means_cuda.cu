// k-means on CUDA.
#include "sim/core/cuda_stepper.cuh"
#include "sim/k_means/k_means_cuda.cuh"
#include "sim/k_means/k_means_simulation.hpp"
#include "sim/k_means/make_k_means.hpp"

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
    : cuda_(cuda), processors_(attribute(cudaDevAttrMultiProcessorCount)), matrix_(cuda, processors_) {
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

// Once the run has converged nothing is in flight, and a copy does not wait for anything.
bool KMeansKernels<Cuda>::look(const RunView& run, bool converged, Look& found) {
  if (!converged) return false;
  cuda_.copy_out(&found.state, run.state, sizeof found.state);
  cuda_.copy_out(&found.control, run.control, sizeof found.control);
  found.curve.resize(static_cast<std::size_t>(found.control.finished));
  cuda_.copy_out(found.curve.data(), run.curve, found.curve.size() * sizeof(KMeansCriteria));
  const std::int64_t row = static_cast<std::int64_t>(clusters_of(found.state.program)) * run.dimensions();
  found.paths.resize(
      static_cast<std::size_t>(std::min<std::int64_t>(found.control.iterations + 1, path_numbers / row) * row));
  cuda_.copy_out(found.paths.data(), run.paths, found.paths.size() * sizeof(float));
  found.sizes.resize(static_cast<std::size_t>(found.control.chosen));
  cuda_.copy_out(found.sizes.data(), run.best_sizes, found.sizes.size() * sizeof(std::int64_t));
  return true;
}

std::unique_ptr<Simulation> make_k_means_cuda(const Setup& setup, KMeansParameters& parameters) {
  return std::make_unique<KMeansSimulation<Cuda>>(setup, parameters, setup.device);
}

}  // namespace kinescope::sim::k_means
