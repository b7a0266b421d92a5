// The two backends' factories, apart from the class template, which is costly to compile.
#pragma once

#include <memory>

#include "sim/core/benchmark.hpp"
#include "sim/core/simulation.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo_parameters.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

std::unique_ptr<Simulation> make_fitzhugh_nagumo_cpu(const Setup& setup, FitzHughNagumoParameters& parameters);
std::unique_ptr<Simulation> make_fitzhugh_nagumo_cuda(const Setup& setup, FitzHughNagumoParameters& parameters);

// Seconds of one solution of a tridiagonal system of that many rows, with the matrix of a Newton step in single
// precision, and the largest |residual| relative to the largest right side. Throws Error where the solver is not there.
struct SolveTrial {
  double seconds = 0, residual = 0;
};
SolveTrial time_solver(const Setup& setup, Solver solver, std::int64_t rows);
SolveTrial time_solver_cpu(int threads, Solver solver, std::int64_t rows);
SolveTrial time_solver_cuda(int device, Solver solver, std::int64_t rows);

}  // namespace kinescope::sim::fitzhugh_nagumo

namespace kinescope::sim {
std::vector<BenchmarkExperiment> fitzhugh_nagumo_experiments();
}
