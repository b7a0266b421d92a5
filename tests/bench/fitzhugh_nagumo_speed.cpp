// Measures how fast FitzHugh–Nagumo runs on this machine's CPU or GPU, in the cases for which the project has targets.
//   fitzhugh_nagumo_speed [cpu|cuda]
#include <chrono>
#include <cstdio>
#include <cstring>
#include <oneapi/tbb/parallel_for.h>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/fitzhugh_nagumo/axon/time_solver.hpp"
#include "tests/sim/fitzhugh_nagumo/fitzhugh_nagumo_cases.hpp"

namespace {

using namespace kinescope::sim;
using namespace kinescope::sim::fitzhugh_nagumo_cases;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

// The least seconds of some runs, after one that warms up. Each run begins with the initial state on the device.
double run_seconds(Simulation& simulation, int repetitions) {
  double least = INFINITY;
  for (int i = 0; i <= repetitions; ++i) {
    simulation.restart();
    simulation.finish();
    const auto begin = Clock::now();
    while (simulation.advance({})) {
    }
    simulation.finish();
    if (i > 0) least = std::min(least, seconds_since(begin));
  }
  return least;
}

void report(const char* name, const Assignments& assignments, Backend backend, int repetitions) {
  const auto simulation = make(assignments, backend, 0);
  const double seconds = run_seconds(*simulation, repetitions);
  const double steps = double(simulation->progress().iteration), points = double(simulation->progress().points);
  std::printf("%-34s %9.3f ms, %9.4f ms a step, %.3g cell-steps/s, largest |v| %.4f\n", name, 1e3 * seconds,
              1e3 * seconds / steps, steps * points / seconds, simulation->progress().figure);
  std::fflush(stdout);
}

void report_solver(const char* name, fitzhugh_nagumo::Solver solver, Backend backend, long rows) {
  try {
    const auto trial = fitzhugh_nagumo::time_solver({.backend = backend}, solver, rows);
    std::printf("solve %ld rows, %-28s %9.3f ms, residual %.2g\n", rows, name, 1e3 * trial.seconds, trial.residual);
  } catch (const Error& error) {
    std::printf("solve %ld rows, %-28s %s\n", rows, name, error.what());
  }
  std::fflush(stdout);
}

double copy_bandwidth() {
  const std::size_t count = std::size_t{1} << 25;
  std::vector<float> from(count, 1.5f), to(count);
  double least = INFINITY;
  for (int i = 0; i < 4; ++i) {
    const auto begin = Clock::now();
    oneapi::tbb::parallel_for(std::size_t{0}, count >> 16, [&](std::size_t k) {
      std::memcpy(to.data() + (k << 16), from.data() + (k << 16), sizeof(float) << 16);
    });
    least = std::min(least, seconds_since(begin));
  }
  return 2.0 * double(count) * sizeof(float) / least;
}

}  // namespace

int main(int count, char** arguments) {
  const Backend backend = count > 1 && std::string(arguments[1]) == "cuda" ? Backend::cuda : Backend::cpu;
  const bool cuda = backend == Backend::cuda;
  if (!cuda) std::printf("copy %.3g bytes/s: %.3g cell-steps/s at 16 bytes\n", copy_bandwidth(), copy_bandwidth() / 16);
  const std::string large = cuda ? "nodes=16777216" : "nodes=4194304";
  report("explicit, N = 401 to t = 300", {}, backend, 5);
  report("explicit, N = 401, double", {"precision=double"}, backend, 3);
  report("implicit, N = 401 to t = 300", {"scheme=implicit"}, backend, 3);
  report("adaptive, N = 401 to t = 300", {"scheme=adaptive"}, backend, 3);
  report(("explicit, " + large).c_str(), {large, "case=impulses", cuda ? "end_time=225" : "end_time=7.2"}, backend, 2);
  report(("explicit, double, " + large).c_str(),
         {large, "case=impulses", "precision=double", cuda ? "end_time=112.5" : "end_time=3.6"}, backend, 2);
  report(("implicit, " + large).c_str(),
         {large, "case=impulses", "scheme=implicit", cuda ? "end_time=50" : "end_time=1"}, backend, 2);
  report(("implicit, double, " + large).c_str(),
         {large, "case=impulses", "scheme=implicit", "precision=double", cuda ? "end_time=25" : "end_time=1"}, backend,
         2);
  const std::string side = cuda ? "nodes=8192" : "nodes=1024";
  report(("sheet, " + side).c_str(), {"dimensions=2", "case=impulses", side, cuda ? "end_time=22.5" : "end_time=2"},
         backend, 2);
  report("sheet, nodes=512", {"dimensions=2", "case=spiral", "nodes=512", cuda ? "end_time=100" : "end_time=5"},
         backend, 2);
  using fitzhugh_nagumo::Solver;
  const long rows = cuda ? 1 << 24 : 1 << 20;
  if (!cuda) report_solver("thomas", Solver::thomas, backend, rows);
  report_solver("cyclic reduction", Solver::cyclic_reduction, backend, rows);
  report_solver("parallel cyclic reduction", Solver::parallel_cyclic_reduction, backend, rows);
  report_solver("halo", Solver::halo, backend, rows);
  report_solver("partition", Solver::partition, backend, rows);
  if (cuda) report_solver("cusparse", Solver::cusparse, backend, rows);
}
