#include "sim/mean_shift/mean_shift.hpp"

#include "sim/core/error.hpp"
#include "sim/mean_shift/make_mean_shift.hpp"
#include "sim/mean_shift/mean_shift_benchmark.hpp"
#include "sim/mean_shift/mean_shift_parameters.hpp"

namespace kinescope::sim {
namespace {

std::unique_ptr<Simulation> make(const Setup& setup, ParameterSet& parameters) {
  auto& own = static_cast<MeanShiftParameters&>(parameters);
  if (setup.data->points > 1'000'000'000) throw input_error(setup.data->name + ": more than 1,000,000,000 points");
#ifdef KINESCOPE_CUDA
  if (setup.backend == Backend::cuda) return mean_shift::make_mean_shift_cuda(setup, own);
#endif
  return mean_shift::make_mean_shift_cpu(setup, own);
}

}  // namespace

const SimulationKind& mean_shift_kind() {
  static const SimulationKind kind = {
      "mean-shift",
      "Mean shift",
      "clusters as the basins of the data's density: points climb to its modes",
      "synthetic:gaussians,n=20000,k=2,clusters=3",
      "largest shift",
      {"shift"},
      [] { return std::unique_ptr<ParameterSet>(std::make_unique<MeanShiftParameters>()); },
      make,
      mean_shift_experiments,
      {{"out", {".csv", ".npy", ".png"}, "the shifted points and their clusters; .png: a picture segmented"},
       {"centroids", {".csv", ".npy"}, "a row for each cluster: cluster, size, density and the columns"}},
      "clusters"};
  return kind;
}

}  // namespace kinescope::sim
