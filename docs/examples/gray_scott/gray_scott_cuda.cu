// Gray–Scott on CUDA.
#include "kinescope/executors/cuda_stepper.cuh"
#include "sim/gray_scott/gray_scott_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cuda(const Setup& setup, GrayScottParameters& parameters) {
  return std::make_unique<gray_scott::GrayScottSimulation<Cuda>>(setup, parameters);
}

}  // namespace kinescope::sim
