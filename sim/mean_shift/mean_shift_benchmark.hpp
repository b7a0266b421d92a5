// Mean shift's experiments, and the picture that they and the tests segment.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "sim/core/benchmark.hpp"
#include "sim/core/dataset.hpp"

namespace kinescope::sim {

std::vector<BenchmarkExperiment> mean_shift_experiments();

// Always the same picture, of smooth colours with a grain; columns x, y, r, g, b.
std::shared_ptr<const Dataset> made_picture(std::size_t width, std::size_t height);

}  // namespace kinescope::sim
