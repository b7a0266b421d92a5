#include "sim/glimmer/glimmer.hpp"

#include "sim/core/benchmark.hpp"
#include "sim/core/error.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"
#include "sim/glimmer/make_glimmer.hpp"

namespace kinescope::sim {
namespace {

std::unique_ptr<Simulation> make(const Setup& setup, ParameterSet& parameters) {
  auto& own = static_cast<GlimmerParameters&>(parameters);
  if (setup.data->points > 100'000'000) throw input_error(setup.data->name + ": more than 100,000,000 points");
#ifdef KINESCOPE_CUDA
  if (setup.backend == Backend::cuda) return glimmer::make_glimmer_cuda(setup, own);
#endif
  return glimmer::make_glimmer_cpu(setup, own);
}

}  // namespace

const SimulationKind& glimmer_kind() {
  static const SimulationKind kind = {
      "glimmer",
      "Glimmer layout",
      "multilevel multidimensional scaling: points placed so that their distances match the data's; landmarks first, "
      "then level by level",
      "synthetic:colours,n=4096",
      "stress",
      {"interpolate", "relax", "search", "glide", "polish"},
      [] { return std::unique_ptr<ParameterSet>(std::make_unique<GlimmerParameters>()); },
      make,
      glimmer_experiments};
  return kind;
}

}  // namespace kinescope::sim
