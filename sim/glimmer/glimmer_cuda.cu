// The layouts on CUDA.
#include "sim/core/cuda_stepper.cuh"
#include "sim/glimmer/force_layout.hpp"
#include "sim/glimmer/make_glimmer.hpp"

namespace kinescope::sim::glimmer {

std::unique_ptr<Simulation> make_glimmer_cuda(const Setup& setup, GlimmerParameters& parameters) {
  if (parameters.output_dimensions.value() == 3) return std::make_unique<ForceLayout<Cuda, 3>>(setup, parameters, setup.device);
  return std::make_unique<ForceLayout<Cuda, 2>>(setup, parameters, setup.device);
}

}  // namespace kinescope::sim::glimmer
