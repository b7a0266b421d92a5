// The two backends' factories, apart from the class template, which is costly to compile.
#pragma once

#include <memory>

#include "sim/core/simulation.hpp"
#include "sim/mean_shift/mean_shift_parameters.hpp"

namespace kinescope::sim::mean_shift {

std::unique_ptr<Simulation> make_mean_shift_cpu(const Setup& setup, MeanShiftParameters& parameters);
std::unique_ptr<Simulation> make_mean_shift_cuda(const Setup& setup, MeanShiftParameters& parameters);

}  // namespace kinescope::sim::mean_shift
