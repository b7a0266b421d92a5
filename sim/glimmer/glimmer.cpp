#include "sim/glimmer/glimmer.hpp"

#include "sim/core/factory.hpp"
#include "sim/data/writers/table_writer.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"
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
      // Our own layout takes 60 to 170 iterations on most data; one of the layouts by forces takes many hundreds.
      .pace_of =
          [](const ParameterSet& parameters, const Dataset*) {
            const auto& own = static_cast<const GlimmerParameters&>(parameters);
            return own.algorithm.value() == LayoutAlgorithm::glimmer ? 10.0 : 20.0;
          },
      .outputs = {{"out", table_endings(), "the result"}},
      .make_parameters = make_parameters<GlimmerParameters>,
      .make = make_simulation<GlimmerParameters>,
      .place = place_onto,
      .experiments = glimmer_experiments};
  return kind;
}

}  // namespace kinescope::sim
