#include "sim/gray_scott/gray_scott.hpp"

#include "kinescope/data/table_writer.hpp"
#include "kinescope/factory.hpp"
#include "sim/gray_scott/gray_scott_parameters.hpp"

namespace kinescope::sim {

const SimulationKind& gray_scott_kind() {
  static const SimulationKind kind = {.name = "gray-scott",
                                      .title = "Gray–Scott patterns",
                                      .summary = "two substances that react and spread: spots that divide, stripes",
                                      .figure_name = "mean of v",
                                      .phases = {"running"},
                                      .pace = 600,
                                      .outputs = {{"out", table_endings(), "the result"}},
                                      .make_parameters = make_parameters<GrayScottParameters>,
                                      .make = make_simulation<GrayScottParameters, Takes::nothing>};
  return kind;
}

}  // namespace kinescope::sim
