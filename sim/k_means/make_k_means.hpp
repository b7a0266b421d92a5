// The two backends' factories, apart from the class template, which is costly to compile.
#pragma once

#include <memory>

#include "sim/core/simulation.hpp"
#include "sim/k_means/k_means_parameters.hpp"

namespace kinescope::sim::k_means {

std::unique_ptr<Simulation> make_k_means_cpu(const Setup& setup, KMeansParameters& parameters);
std::unique_ptr<Simulation> make_k_means_cuda(const Setup& setup, KMeansParameters& parameters);

}  // namespace kinescope::sim::k_means
