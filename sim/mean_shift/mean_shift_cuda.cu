// Mean shift on CUDA.
#include "sim/core/cuda_stepper.cuh"
#include "sim/mean_shift/make_mean_shift.hpp"
#include "sim/mean_shift/mean_shift_cuda.cuh"
#include "sim/mean_shift/mean_shift_simulation.hpp"

namespace kinescope::sim::mean_shift {

std::unique_ptr<Simulation> make_mean_shift_cuda(const Setup& setup, MeanShiftParameters& parameters) {
  return std::make_unique<MeanShiftSimulation<Cuda>>(setup, parameters);
}

}  // namespace kinescope::sim::mean_shift
