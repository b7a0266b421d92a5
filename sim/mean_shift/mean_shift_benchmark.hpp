// Mean shift's experiments, and the picture that they and the tests segment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "sim/core/benchmark.hpp"

namespace kinescope::sim {

std::vector<BenchmarkExperiment> mean_shift_experiments();

// The seconds in which one thread moves `part` evenly chosen points of two columns, by the method `naive` against all
// data. O(iterations · part · N).
double naive_seconds_of_part(const Dataset& data, double bandwidth, int iterations, std::int64_t part);

// A picture of smooth colours with noise, always the same for a size; columns x, y, r, g, b.
std::shared_ptr<const Dataset> made_picture(std::size_t width, std::size_t height);

}  // namespace kinescope::sim
