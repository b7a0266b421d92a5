// FitzHugh–Nagumo on CUDA.
#include "kinescope/executors/cuda_stepper.cuh"
#include "sim/fitzhugh_nagumo/axon/axon_cuda.cuh"
#include "sim/fitzhugh_nagumo/axon/solver_trial.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo_results.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo_simulation.hpp"
#include "sim/fitzhugh_nagumo/sheet/sheet_cuda.cuh"

namespace kinescope::sim::fitzhugh_nagumo {

// Pinned memory, which kernels can write.
template <>
class SharedWithHost<Cuda> {
 public:
  SharedWithHost() {
    CUDA_CHECK(cudaMallocHost(&figures_, sizeof(SharedFigures)));
    *figures_ = {};
  }
  SharedWithHost(const SharedWithHost&) = delete;
  SharedWithHost& operator=(const SharedWithHost&) = delete;
  ~SharedWithHost() { cudaFreeHost(figures_); }
  SharedFigures* data() { return figures_; }

 private:
  SharedFigures* figures_ = nullptr;
};

SolveTrial time_solver_cuda(int device, Solver solver, std::int64_t rows, double ratio) {
  Cuda cuda(device);
  return time_solver(cuda, solver, rows, ratio);
}

}  // namespace kinescope::sim::fitzhugh_nagumo

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cuda(const Setup& setup, FitzHughNagumoParameters& parameters) {
  return std::make_unique<fitzhugh_nagumo::FitzHughNagumoSimulation<Cuda>>(setup, parameters);
}

}  // namespace kinescope::sim
