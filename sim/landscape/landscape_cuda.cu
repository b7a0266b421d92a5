// The landscape on CUDA.
#include "sim/core/cuda_stepper.cuh"
#include "sim/landscape/groups.cuh"
#include "sim/landscape/landscape_simulation.hpp"
#include "sim/landscape/make_landscape.hpp"

namespace kinescope::sim::landscape {

std::unique_ptr<Simulation> make_landscape_cuda(const Setup& setup, LandscapeParameters& parameters) {
  return std::make_unique<LandscapeSimulation<Cuda>>(setup, parameters);
}

}  // namespace kinescope::sim::landscape
