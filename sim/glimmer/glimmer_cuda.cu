// Glimmer on CUDA.
#include "sim/core/cuda_stepper.cuh"
#include "sim/glimmer/glimmer_algorithm.hpp"

namespace kinescope::sim::glimmer {

std::unique_ptr<Simulation> make_glimmer_cuda(const Setup& setup, GlimmerParameters& parameters) {
  return make_glimmer<Cuda>(setup, parameters, setup.device);
}

}  // namespace kinescope::sim::glimmer
