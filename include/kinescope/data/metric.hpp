// The distance between two rows.
#pragma once

#include "kinescope/parameter.hpp"

namespace kinescope::sim {

enum class Metric { euclidean, cosine, manhattan, cosine_squared, gower, matrix, graph, haversine };

// Whether δ is a function of the angle between two rows. Such rows are scaled to length 1.
constexpr bool of_angles(Metric metric) {
  return metric == Metric::cosine || metric == Metric::cosine_squared;
}

// Whether δ is given, by Dataset::distances or in the table itself, instead of computed from two rows.
constexpr bool of_distances(Metric metric) {
  return metric == Metric::gower || metric == Metric::matrix || metric == Metric::graph || metric == Metric::haversine;
}

struct MetricParameter : Choice<Metric> {
  MetricParameter()
      : Choice(
            {"metric", "",
             "distance between rows; cosine: 1 − cos; gower: numbers and categories; matrix: the table has "
             "the distances; graph: shortest paths; haversine: great circles in km between latitudes and longitudes"},
            {"euclidean",
             "cosine",
             "manhattan",
             "cosine-squared",
             {"gower", "Gower (mixed)"},
             {"matrix", "Distance table"},
             {"graph", "Graph paths"},
             {"haversine", "Great circles"}},
            Metric::euclidean) {}
};

}  // namespace kinescope::sim
