#include "sim/landscape/landscape.hpp"

#include "sim/landscape/landscape_parameters.hpp"
#include "sim/landscape/make_landscape.hpp"

namespace kinescope::sim {
namespace {

std::unique_ptr<Simulation> make(const Setup& setup, ParameterSet& parameters) {
  auto& own = static_cast<LandscapeParameters&>(parameters);
#ifdef KINESCOPE_CUDA
  if (setup.backend == Backend::cuda) return landscape::make_landscape_cuda(setup, own);
#endif
  return landscape::make_landscape_cpu(setup, own);
}

}  // namespace

const SimulationKind& landscape_kind() {
  static const SimulationKind kind = {
      "landscape",
      "Landscape",
      "terrain, plants, a cabin, smoke and butterflies, all grown from one seed",
      "",
      "live particles",
      {"run"},
      [] { return std::unique_ptr<ParameterSet>(std::make_unique<LandscapeParameters>()); },
      make,
      landscape::landscape_experiments,
      {{"out", {".obj", ".ply", ".csv", ".npy"}, "the meshes of the landscape, or a table of the butterflies"}},
      "",
      1 / landscape::step_seconds};
  return kind;
}

}  // namespace kinescope::sim
