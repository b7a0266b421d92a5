#include "kinescope/glimmer/glimmer.hpp"

#include "kinescope/data/table_writer.hpp"
#include "kinescope/factory.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "sim/glimmer/placement.hpp"

namespace kinescope::sim {

const SimulationKind& glimmer_kind() {
  static const SimulationKind kind = {
      .name = "glimmer",
      .title = "Glimmer layout",
      .summary = "multidimensional scaling: places points so that their distances match those of the data",
      .default_data = "synthetic:colours,n=4096",
      .most_points = 100'000'000,
      .takes_sparse = true,
      .takes_distances = true,
      .figure_name = "stress",
      .phases = {"interpolate", "relax", "search", "glide", "polish"},
      .pace_of =
          [](const ParameterSet& parameters, const Dataset*) {
            return static_cast<const GlimmerParameters&>(parameters).algorithm.value().pace;
          },
      .outputs = {{"out", table_endings(), "the result"}},
      .make_parameters = make_parameters<GlimmerParameters>,
      .make = make_simulation<GlimmerParameters>,
      .place = place_onto};
  return kind;
}

}  // namespace kinescope::sim
