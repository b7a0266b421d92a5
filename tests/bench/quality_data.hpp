// Datasets on which layouts are compared with the best that is known: curves, surfaces, clusters, noise, heavy tails,
// real data.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::quality {

struct Family {
  std::string name;
  std::vector<std::size_t> sizes;                             // numbers of points that the suite runs, ascending
  std::function<std::shared_ptr<Dataset>(std::size_t)> make;  // makes at most this many points
  Metric metric = Metric::euclidean;
};

// All families: synthetic data first, then iris, cancer, digits and rows drawn from shuttle, if `folder` (may be empty)
// has them.
std::vector<Family> families(const std::string& folder);

}  // namespace kinescope::sim::quality
