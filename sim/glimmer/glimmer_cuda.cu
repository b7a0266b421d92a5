// The layouts on CUDA.
#include "sim/core/cuda_stepper.cuh"
#include "sim/glimmer/force_layout.hpp"
#include "sim/glimmer/make_glimmer.hpp"
#include "sim/glimmer/multilevel_cuda.cuh"
#include "sim/glimmer/multilevel_layout.hpp"

namespace kinescope::sim::glimmer {

std::unique_ptr<Simulation> make_glimmer_cuda(const Setup& setup, GlimmerParameters& parameters) {
  return make_layout<Cuda>(setup, parameters);
}

}  // namespace kinescope::sim::glimmer
