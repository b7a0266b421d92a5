// The two backends' factories, apart from the class template, which is costly to compile.
#pragma once

#include <memory>

#include "sim/core/benchmark.hpp"
#include "sim/landscape/landscape.hpp"
#include "sim/landscape/landscape_parameters.hpp"

namespace kinescope::sim::landscape {

std::unique_ptr<Simulation> make_landscape_cpu(const Setup& setup, LandscapeParameters& parameters);
std::unique_ptr<Simulation> make_landscape_cuda(const Setup& setup, LandscapeParameters& parameters);

std::vector<BenchmarkExperiment> landscape_experiments();

}  // namespace kinescope::sim::landscape
