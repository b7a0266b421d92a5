#include "sim/fitzhugh_nagumo/fitzhugh_nagumo.hpp"

#include "sim/fitzhugh_nagumo/make_fitzhugh_nagumo.hpp"

namespace kinescope::sim {
namespace {

std::unique_ptr<Simulation> make(const Setup& setup, ParameterSet& parameters) {
  auto& own = static_cast<FitzHughNagumoParameters&>(parameters);
#ifdef KINESCOPE_CUDA
  if (setup.backend == Backend::cuda) return fitzhugh_nagumo::make_fitzhugh_nagumo_cuda(setup, own);
#endif
  return fitzhugh_nagumo::make_fitzhugh_nagumo_cpu(setup, own);
}

}  // namespace

namespace fitzhugh_nagumo {

SolveTrial time_solver(const Setup& setup, Solver solver, std::int64_t rows) {
#ifdef KINESCOPE_CUDA
  if (setup.backend == Backend::cuda) return time_solver_cuda(setup.device, solver, rows);
#endif
  return time_solver_cpu(setup.threads, solver, rows);
}

}  // namespace fitzhugh_nagumo

const SimulationKind& fitzhugh_nagumo_kind() {
  static const SimulationKind kind = {
      "fitzhugh-nagumo",
      "FitzHugh–Nagumo waves",
      "nerve impulses along an axon, spirals and rings on a sheet",
      "",
      "largest |v|",
      {"running", "blown up"},
      [] { return std::unique_ptr<ParameterSet>(std::make_unique<FitzHughNagumoParameters>()); },
      make,
      fitzhugh_nagumo_experiments,
      {{"out", {".csv", ".npy", ".png"}, "the last state: x, v, w (1-D); v and w as an array, or a picture of v (2-D)"},
       {"history", {".npy"}, "v at up to 1,000 times, time × space (1-D)"}},
      "",
      150};  // from an impulse until two waves have left the axon: a quarter of a minute
  return kind;
}

}  // namespace kinescope::sim
