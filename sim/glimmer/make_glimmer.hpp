// The two backends' factories, apart from the class template, which is costly to compile.
#pragma once

#include <memory>

#include "sim/core/simulation.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

std::unique_ptr<Simulation> make_glimmer_cpu(const Setup& setup, GlimmerParameters& parameters);
std::unique_ptr<Simulation> make_glimmer_cuda(const Setup& setup, GlimmerParameters& parameters);

}  // namespace kinescope::sim::glimmer
