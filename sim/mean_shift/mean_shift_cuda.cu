// Mean shift on CUDA.
#include "kinescope/executors/cuda_stepper.cuh"
#include "sim/mean_shift/mean_shift_build.hpp"
#include "sim/mean_shift/mean_shift_cuda.cuh"
#include "sim/mean_shift/mean_shift_results.hpp"
#include "sim/mean_shift/mean_shift_simulation.hpp"

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cuda(const Setup& setup, MeanShiftParameters& parameters) {
  return std::make_unique<mean_shift::MeanShiftSimulation<Cuda>>(setup, parameters);
}

}  // namespace kinescope::sim
