#include "sim/landscape/landscape.hpp"

#include <charconv>
#include <cmath>

#include "sim/core/factory.hpp"
#include "sim/landscape/landscape_parameters.hpp"

namespace kinescope::sim {
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
      .name = "landscape",
      .title = "Landscape",
      .summary = "terrain, plants, a cabin, smoke and butterflies, all grown from one seed",
      .figure_name = "live particles",
      .phases = {"running"},
      .pace = 1 / landscape::step_seconds,
      .outputs = {{"out",
                   {".obj", ".ply", ".csv", ".npy"},
                   "the meshes of the landscape, or a table of the butterflies"}},
      .make_parameters = make_parameters<LandscapeParameters>,
      .make = make_simulation<LandscapeParameters>,
      .experiments = landscape::landscape_experiments};
  return kind;
}

}  // namespace kinescope::sim
