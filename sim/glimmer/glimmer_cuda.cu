// The layouts on CUDA.
#include "sim/core/cuda_stepper.cuh"
#include "sim/glimmer/force_layout.hpp"
#include "sim/glimmer/multilevel_cuda.cuh"
#include "sim/glimmer/multilevel_layout.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cuda(const Setup& setup, GlimmerParameters& parameters) {
  return glimmer::make_layout<Cuda>(setup, parameters);
}

}  // namespace kinescope::sim
