#include "sim/k_means/k_means.hpp"

#include "sim/core/benchmark.hpp"
#include "sim/core/error.hpp"
#include "sim/k_means/k_means_parameters.hpp"
#include "sim/k_means/make_k_means.hpp"

namespace kinescope::sim {
namespace {

std::unique_ptr<Simulation> make(const Setup& setup, ParameterSet& parameters) {
  auto& own = static_cast<KMeansParameters&>(parameters);
  if (setup.data->points > 1'000'000'000) throw input_error(setup.data->name + ": more than 1,000,000,000 points");
#ifdef KINESCOPE_CUDA
  if (setup.backend == Backend::cuda) return k_means::make_k_means_cuda(setup, own);
#endif
  return k_means::make_k_means_cpu(setup, own);
}

}  // namespace

const SimulationKind& k_means_kind() {
  static const SimulationKind kind = {
      "k-means",
      "k-means",
      "clusters around centroids: each point belongs to the nearest, each centroid is its points' mean",
      "synthetic:gaussians,n=100000,k=2,clusters=8",
      "inertia",
      {"placing centroids", "updating clusters", "sweep"},
      [] { return std::unique_ptr<ParameterSet>(std::make_unique<KMeansParameters>()); },
      make,
      k_means_experiments,
      {{"out", {".csv", ".npy"}, "the cluster of each point and its distance from the centroid"},
       {"centroids", {".csv", ".npy"}, "the clusters: size and centroid"}},
      "",
      2};
  return kind;
}

}  // namespace kinescope::sim
