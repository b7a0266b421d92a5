#include "kinescope/landscape/landscape.hpp"

#include "kinescope/data/table_writer.hpp"
#include "kinescope/factory.hpp"
#include "kinescope/landscape/landscape_parameters.hpp"

namespace kinescope::sim {

const SimulationKind& landscape_kind() {
  static const SimulationKind kind = {
      .name = "landscape",
      .title = "Landscape",
      .summary = "terrain, plants, a cabin, smoke and butterflies, all grown from one seed",
      .figure_name = "live particles",
      .phases = {"running"},
      .pace = 1 / landscape::step_seconds,
      .outputs = {{"out", table_endings({.first = {".obj", ".ply"}}),
                   "the meshes of the landscape, or a table of the butterflies"}},
      .make_parameters = make_parameters<LandscapeParameters>,
      .make = make_simulation<LandscapeParameters, Takes::nothing>};
  return kind;
}

}  // namespace kinescope::sim
