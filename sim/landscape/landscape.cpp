#include "sim/landscape/landscape.hpp"

#include <charconv>
#include <cmath>

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

namespace landscape {

std::optional<EyePlace> eye_of(std::string_view text) {
  float numbers[5];
  for (int i = 0; i < 5; ++i) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), numbers[i]);
    if (error != std::errc() || !(std::abs(numbers[i]) < 1e5f)) return std::nullopt;
    text.remove_prefix(std::size_t(end - text.data()));
    if (i == 4 ? !text.empty() : !text.starts_with(',')) return std::nullopt;
    if (i < 4) text.remove_prefix(1);
  }
  return EyePlace{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

}  // namespace landscape

const SimulationKind& landscape_kind() {
  static const SimulationKind kind = {
      "landscape",
      "Landscape",
      "terrain, plants, a cabin, smoke and butterflies, all grown from one seed",
      "",
      "live particles",
      {"running"},
      [] { return std::unique_ptr<ParameterSet>(std::make_unique<LandscapeParameters>()); },
      make,
      landscape::landscape_experiments,
      {{"out", {".obj", ".ply", ".csv", ".npy"}, "the meshes of the landscape, or a table of the butterflies"}},
      "",
      1 / landscape::step_seconds};
  return kind;
}

}  // namespace kinescope::sim
