// The layouts on CUDA.
#include "kinescope/executors/cuda_stepper.cuh"
#include "sim/glimmer/make_layout.hpp"
#include "sim/glimmer/multilevel/multilevel_cuda.cuh"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cuda(const Setup& setup, GlimmerParameters& parameters) {
  return glimmer::make_layout<Cuda>(setup, parameters);
}

}  // namespace kinescope::sim
