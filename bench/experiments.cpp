#include "kinescope/bench/experiments.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "kinescope/executors/devices.hpp"

namespace kinescope::sim {
#define KINESCOPE_EXPERIMENTS(name) const SimulationKind& name##_kind();
#include "bench/simulations.inc"
#undef KINESCOPE_EXPERIMENTS
}  // namespace kinescope::sim

namespace kinescope::bench {

#define KINESCOPE_EXPERIMENTS(name) std::vector<BenchmarkExperiment> name##_experiments();
#include "bench/simulations.inc"
#undef KINESCOPE_EXPERIMENTS

std::vector<BenchmarkExperiment> experiments_of(std::string_view simulation) {
#define KINESCOPE_EXPERIMENTS(of) \
  if (simulation == of##_kind().name) return of##_experiments();
#include "bench/simulations.inc"
#undef KINESCOPE_EXPERIMENTS
  return {};
}

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

}  // namespace

BenchmarkRow row_of(std::string experiment, std::string method, std::string data, const Setup& setup) {
  BenchmarkRow row;
  row.experiment = std::move(experiment);
  row.method = std::move(method);
  row.data = std::move(data);
  if (setup.data) {
    row.points = static_cast<long>(setup.data->points);
    row.dimensions = static_cast<long>(setup.data->dimensions);
  }
  const bool cuda = setup.backend == Backend::cuda;
  row.backend = cuda ? "cuda" : "cpu";
  row.device = processor_name(setup.backend, setup.device);
  row.threads = cuda ? 1 : setup.threads > 0 ? setup.threads : cpu_threads();
  row.repetitions = 1;
  return row;
}

void set_times(BenchmarkRow& row, const RepeatedTimes& times) {
  row.repetitions = times.repetitions;
  row.median_seconds = times.median;
  row.min_seconds = times.minimum;
  row.max_seconds = times.maximum;
}

RepeatedTimes repeat_timed(const std::function<double()>& once, int least, int most, double enough_seconds) {
  once();
  const auto start = Clock::now();
  std::vector<double> seconds;
  while (static_cast<int>(seconds.size()) < most) {
    seconds.push_back(once());
    if (static_cast<int>(seconds.size()) >= least && seconds_since(start) > enough_seconds) break;
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back(), static_cast<int>(seconds.size())};
}

RepeatedTimes time_runs(const std::function<double()>& once, bool quick) {
  constexpr double long_run_seconds = 1.5;
  const double first = once();
  if (quick || first > long_run_seconds) return {first, first, first, 1};
  return repeat_timed(once, 3, 11, 1.0);
}

double reported(Simulation& simulation, const std::string& figure) {
  for (const auto& [key, value] : simulation.report().entries)
    if (key == figure)
      return std::holds_alternative<double>(value) ? std::get<double>(value) : double(std::get<std::int64_t>(value));
  return std::numeric_limits<double>::quiet_NaN();
}

void run_to_end(Simulation& simulation, const Stop& stop) {
  // The CPU works in slices, so that a long run can be interrupted; the result does not depend on how the work is
  // divided.
  const Budget slice{simulation.backend() == Backend::cpu ? 0.1 : std::numeric_limits<double>::infinity()};
  while (!stop() && simulation.advance(slice)) {
  }
  simulation.finish();
}

double time_restart(Simulation& simulation, const Stop& stop) {
  const auto start = Clock::now();
  simulation.restart();
  run_to_end(simulation, stop);
  return seconds_since(start);
}

double fitted_slope(const std::vector<double>& steps, const std::vector<double>& errors) {
  double x = 0, y = 0, xx = 0, xy = 0;
  const double n = double(steps.size());
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const double lx = std::log(steps[i]), ly = std::log(errors[i]);
    x += lx, y += ly, xx += lx * lx, xy += lx * ly;
  }
  return (n * xy - x * y) / (n * xx - x * x);
}

}  // namespace kinescope::bench
