// The experiments about what a user is told of a layout.
#pragma once

#include "kinescope/bench/experiments.hpp"

namespace kinescope::bench {

// `films`: the stress that is shown while a layout converges, the true one, and how far the picture moves; the thesis's
// figure 4.3 for our own method.
BenchmarkExperiment films_experiment();

// `measures`: seconds to compute, on the CPU, the figures that say how good a layout is and where it is wrong.
BenchmarkExperiment measures_experiment();

}  // namespace kinescope::bench
