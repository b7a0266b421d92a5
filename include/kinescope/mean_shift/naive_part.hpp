// What the method `naive` would take, for the experiments: it is too slow to be run whole.
#pragma once

#include <cstdint>

#include "kinescope/dataset.hpp"

namespace kinescope::sim {

// The seconds in which one thread moves `part` evenly chosen points of two columns, by the method `naive` against all
// data. O(iterations · part · N).
double naive_seconds_of_part(const Dataset& data, double bandwidth, int iterations, std::int64_t part);

}  // namespace kinescope::sim
