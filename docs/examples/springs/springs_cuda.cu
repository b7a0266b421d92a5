// The springs on CUDA.
#include "kinescope/executors/cuda_stepper.cuh"
#include "sim/springs/springs_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cuda(const Setup& setup, SpringsParameters& parameters) {
  return std::make_unique<springs::SpringsSimulation<Cuda>>(setup, parameters);
}

}  // namespace kinescope::sim
