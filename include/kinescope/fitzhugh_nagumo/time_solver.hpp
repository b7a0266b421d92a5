// Times one solution of a tridiagonal system with `rows` rows. The matrix is that of a Newton step in single precision
// with Δt = `ratio` Δx². Also reports the largest |residual| relative to the largest right side. Throws Error (input)
// if the solver is not installed or does not apply.
#pragma once

#include <cstdint>

#include "kinescope/executors/devices.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

struct SolveTrial {
  double seconds = 0, residual = 0;
};
SolveTrial time_solver_cpu(int threads, Solver solver, std::int64_t rows, double ratio = 1);
SolveTrial time_solver_cuda(int device, Solver solver, std::int64_t rows, double ratio = 1);

inline SolveTrial time_solver(const Setup& setup, Solver solver, std::int64_t rows, double ratio = 1) {
  if constexpr (cuda_built)
    if (setup.backend == Backend::cuda) return time_solver_cuda(setup.device, solver, rows, ratio);
  return time_solver_cpu(setup.threads, solver, rows, ratio);
}

}  // namespace kinescope::sim::fitzhugh_nagumo
