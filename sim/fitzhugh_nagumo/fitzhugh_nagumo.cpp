#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo.hpp"

#include "kinescope/data/table_writer.hpp"
#include "kinescope/factory.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"

namespace kinescope::sim {

const SimulationKind& fitzhugh_nagumo_kind() {
  static const SimulationKind kind = {
      .name = "fitzhugh-nagumo",
      .title = "FitzHugh–Nagumo waves",
      .summary = "nerve impulses along an axon, spirals and rings on a sheet",
      .figure_name = "largest |v|",
      .phases = {"running", "blown up"},
      .pace = 150,  // from an impulse until its two waves have left the axon takes a quarter of a minute
      .advances_evenly = true,
      .outputs = {{"out", table_endings({.last = {".png"}}),
                   "the last state: x, v, w (1-D); v and w as an array, or a picture of v (2-D)"},
                  {"history", {".npy"}, "v at up to 1,000 times, time × space; of a sheet time × y × x"}},
      .make_parameters = make_parameters<FitzHughNagumoParameters>,
      .make = make_simulation<FitzHughNagumoParameters, Takes::nothing>};
  return kind;
}

}  // namespace kinescope::sim
