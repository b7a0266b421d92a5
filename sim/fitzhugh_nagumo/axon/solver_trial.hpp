// Solves and times one tridiagonal system of a Newton step.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>

#include "kinescope/error.hpp"
#include "kinescope/executors/executor.hpp"
#include "kinescope/fitzhugh_nagumo/time_solver.hpp"
#include "sim/fitzhugh_nagumo/axon/axon.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// The Jacobian at a v that differs from row to row, and a right side without zeros.
struct TrialSystem {
  System<float> system;
  ImplicitStep<float> step;
  std::int64_t rows;

  KINESCOPE_HD float right(std::int64_t i) const { return 0.6f + 0.4f * static_cast<float>((i * 37) % 101) / 101; }
  KINESCOPE_HD float diagonal(std::int64_t i) const { return step.diagonal(static_cast<float>((i * 13) % 97) / 97); }
  KINESCOPE_HD void operator()(std::int64_t i) const {
    system.right[i] = right(i);
    system.diagonal[i] = diagonal(i);
    system.lower[i] = step.lower(i, rows);
    system.upper[i] = step.upper(i, rows);
  }
};

struct TrialResidual {
  TrialSystem trial;
  const float* solution;
  KINESCOPE_HD LargestMagnitude operator()(std::int64_t i) const {
    const double lower = i == 0 ? 0 : solution[i - 1], upper = i == trial.rows - 1 ? 0 : solution[i + 1];
    const double ends = i == 0 || i == trial.rows - 1 ? 2 : 1;
    const double here = double(trial.diagonal(i)) * solution[i] - ends * trial.step.r_half * (lower + upper);
    return {static_cast<float>(std::fabs(here - trial.right(i)))};
  }
};

template <Executor E>
SolveTrial time_solver(E& executor, Solver solver, std::int64_t rows, double ratio) {
  using Clock = std::chrono::steady_clock;
  AxonKernels<E> kernels(executor);
  Constants constants;
  constants.dt = 0.25;
  constants.dx = std::sqrt(constants.dt / ratio);
  const std::int64_t halo = halo_rows(constants, Precision::single_precision);
  if (solver == Solver::halo && halo < 0)
    throw input_error("solver=halo cannot be used: the matrix's inverse fades too slowly away from the diagonal");
  Tridiagonal<float, E> tridiagonal(executor, kernels, rows);
  const TrialSystem trial{tridiagonal.system(), ImplicitStep<float>::make(constants), rows};
  Array<LargestMagnitude, E> residual(executor, 1);
  SolveTrial result{INFINITY, 0};
  for (int repetition = 0; repetition < 5; ++repetition) {
    executor.for_each("system", rows, trial);
    executor.wait();
    const auto begin = Clock::now();
    tridiagonal.solve(solver, nullptr, halo);
    executor.wait();
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    if (repetition > 0 || rows > (1 << 20)) result.seconds = std::min(result.seconds, seconds);
  }
  executor.reduce("residual", rows, LargestMagnitude{}, TrialResidual{trial, tridiagonal.solution()},
                  Store<LargestMagnitude>{residual.data()});
  result.residual = residual.download()[0].value;
  return result;
}

}  // namespace kinescope::sim::fitzhugh_nagumo
