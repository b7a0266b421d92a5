// make_coordinates on CUDA.
#pragma once

#include "sim/core/executors/cuda.cuh"
#include "sim/glimmer/coordinates/coordinates.hpp"

namespace kinescope::sim::glimmer {

template <>
Coordinates<Cuda> make_coordinates(Cuda&, const Dataset&, GlimmerParameters&, std::uint64_t,
                                   const std::vector<std::int64_t>&);

}  // namespace kinescope::sim::glimmer
