#include "kinescope/mean_shift/mean_shift.hpp"

#include "kinescope/data/pictures.hpp"
#include "kinescope/data/table_writer.hpp"
#include "kinescope/factory.hpp"
#include "kinescope/mean_shift/mean_shift_parameters.hpp"

namespace kinescope::sim {

const SimulationKind& mean_shift_kind() {
  static const SimulationKind kind = {
      .name = "mean-shift",
      .title = "Mean shift",
      .summary = "clustering: points climb to the peaks (modes) of the data's density",
      .default_data = "synthetic:gaussians,n=20000,k=2,clusters=3",
      .figure_name = "largest shift",
      .second_figure_name = "clusters",
      .phases = {"shift"},
      // Most of the shifting happens in the first few of some twenty iterations.
      .pace_of = [](const ParameterSet&, const Dataset* data) { return data && is_image(*data) ? 20.0 : 4.0; },
      .outputs = {{"out", table_endings({.last = {".png"}}),
                   "the shifted points and their clusters; .png: the segmented picture"},
                  {"centroids", table_endings(), "a row for each cluster: cluster, size, density and the columns"},
                  palette_output()},
      .make_parameters = make_parameters<MeanShiftParameters>,
      .make = make_simulation<MeanShiftParameters>};
  return kind;
}

}  // namespace kinescope::sim
