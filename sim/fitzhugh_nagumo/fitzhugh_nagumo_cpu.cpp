// FitzHugh–Nagumo on the CPU.
#include "kinescope/executors/cpu_stepper.hpp"
#include "sim/fitzhugh_nagumo/axon/axon_cpu.hpp"
#include "sim/fitzhugh_nagumo/axon/solver_trial.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo_results.hpp"
#include "sim/fitzhugh_nagumo/fitzhugh_nagumo_simulation.hpp"
#include "sim/fitzhugh_nagumo/sheet/sheet_cpu.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

template <>
class SharedWithHost<Cpu> {
 public:
  SharedFigures* data() { return &figures_; }

 private:
  SharedFigures figures_;
};

SolveTrial time_solver_cpu(int threads, Solver solver, std::int64_t rows, double ratio) {
  Cpu cpu(threads);
  return time_solver(cpu, solver, rows, ratio);
}

}  // namespace kinescope::sim::fitzhugh_nagumo

namespace kinescope::sim {

std::unique_ptr<Simulation> make_cpu(const Setup& setup, FitzHughNagumoParameters& parameters) {
  return std::make_unique<fitzhugh_nagumo::FitzHughNagumoSimulation<Cpu>>(setup, parameters);
}

}  // namespace kinescope::sim
