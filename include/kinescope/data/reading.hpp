// How the metric needs the data to be read: as rows, distances, edges, or rows with gaps and categories.
#pragma once

#include <string_view>

#include "kinescope/data/load.hpp"
#include "kinescope/parameter.hpp"

namespace kinescope::sim {

// How `source` must be read for a run with these parameters: their parameter `metric` says so, if they have one. Made
// graphs and files that hold nothing but a graph have only paths for distances, so for them `metric` is set to graph
// first.
Reading choose_reading(std::string_view source, ParameterSet& parameters);

}  // namespace kinescope::sim
