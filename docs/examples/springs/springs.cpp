#include "sim/springs/springs.hpp"

#include "kinescope/data/table_writer.hpp"
#include "kinescope/factory.hpp"
#include "sim/springs/springs_parameters.hpp"

namespace kinescope::sim {

const SimulationKind& springs_kind() {
  static const SimulationKind kind = {.name = "springs",
                                      .title = "Spring layout",
                                      .summary = "points pulled by springs until distances match those of the data",
                                      .default_data = "synthetic:colours,n=1000",
                                      .figure_name = "stress",
                                      .phases = {"pulling"},
                                      .pace = 30,
                                      .outputs = {{"out", table_endings(), "the result"}},
                                      .make_parameters = make_parameters<SpringsParameters>,
                                      .make = make_simulation<SpringsParameters>};
  return kind;
}

}  // namespace kinescope::sim
