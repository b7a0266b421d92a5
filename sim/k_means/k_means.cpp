#include "kinescope/k_means/k_means.hpp"

#include "kinescope/data/pictures.hpp"
#include "kinescope/data/table_writer.hpp"
#include "kinescope/factory.hpp"
#include "kinescope/k_means/k_means_parameters.hpp"

namespace kinescope::sim {

const SimulationKind& k_means_kind() {
  static const SimulationKind kind = {
      .name = "k-means",
      .title = "k-means",
      .summary = "clustering: each point belongs to the nearest centroid, and each centroid is the mean of its points",
      .default_data = "synthetic:gaussians,n=100000,k=2,clusters=8",
      .takes_workers = true,
      .figure_name = "inertia",
      .phases = {"placing centroids", "updating clusters", "sweep", "fitting Gaussians"},
      .pace = 2,
      // A sweep makes some hundred iterations for each number of clusters; at this pace they take about two seconds.
      .pace_of =
          [](const ParameterSet& parameters, const Dataset*) {
            return k_means::parse_sweep(static_cast<const KMeansParameters&>(parameters).sweep.value()) ? 60.0 : 2.0;
          },
      .outputs = {{"out", table_endings({.last = {".png"}}),
                   "the cluster of each point and its distance from the centroid, or its share in the Gaussian; .png: "
                   "the picture in its palette"},
                  {"centroids", table_endings(),
                   "a row for each cluster: cluster, size and the columns of its centroid"},
                  palette_output()},
      .make_parameters = make_parameters<KMeansParameters>,
      .make = make_simulation<KMeansParameters>};
  return kind;
}

}  // namespace kinescope::sim
