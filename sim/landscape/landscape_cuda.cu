// The landscape on CUDA.
#include "kinescope/executors/cuda_stepper.cuh"
#include "sim/landscape/groups.cuh"
#include "sim/landscape/landscape_results.hpp"
#include "sim/landscape/landscape_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cuda(const Setup& setup, LandscapeParameters& parameters) {
  return std::make_unique<landscape::LandscapeSimulation<Cuda>>(setup, parameters);
}

}  // namespace kinescope::sim
