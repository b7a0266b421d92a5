// The paper's experiments: errors against Δx and Δt with fitted slopes (its Fig. 3, 4, 9, 10), limits of stability
// (Fig. 11), Newton's convergence (Fig. 12), nodes that the adaptive scheme uses (Fig. 8), time per step against the
// number of nodes (Fig. 5, 6), tridiagonal solvers (Fig. 13, 14); and sheets.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <memory>

#include "kinescope/bench/experiments.hpp"
#include "kinescope/error.hpp"
#include "kinescope/fitzhugh_nagumo/fitzhugh_nagumo.hpp"
#include "kinescope/fitzhugh_nagumo/time_solver.hpp"

namespace kinescope::bench {
namespace {

using Assignments = std::vector<std::string>;
using Clock = std::chrono::steady_clock;
using Line = std::vector<float>;

std::string assign(const char* name, double value) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "%s=%.12g", name, value);
  return text.data();
}

// The setup of a benchmark, and functions that all experiments use.
struct Bench {
  const BenchmarkSetup& setup;
  const EmitRow& emit;
  const Stop& stop;

  std::unique_ptr<Simulation> make(const Assignments& assignments, Backend backend) const {
    const std::unique_ptr<ParameterSet> parameters = fitzhugh_nagumo_kind().make_parameters();
    for (const std::string& assignment : assignments) parameters->set(assignment);
    Setup run;
    run.backend = backend;
    run.threads = setup.threads;
    run.device = setup.device;
    return fitzhugh_nagumo_kind().make(run, *parameters);
  }

  void finish(Simulation& simulation) const { run_to_end(simulation, stop); }

  Line final_v(const Assignments& assignments) const {
    const auto simulation = make(assignments, setup.backends.back());
    finish(*simulation);
    return simulation->result().find("v")->numbers.floats();
  }

  BenchmarkRow row(const char* experiment, std::string method, std::string data, Backend backend, long points) const {
    BenchmarkRow made = row_of(experiment, std::move(method), std::move(data),
                               {.backend = backend, .threads = setup.threads, .device = setup.device});
    made.points = points;
    made.dimensions = 1;
    return made;
  }
  void put(BenchmarkRow row, const char* figure, double value) const {
    row.figure = figure;
    row.value = value;
    emit(row);
  }
};

double rms_difference(const Line& line, const Line& fine) {
  const std::size_t step = (fine.size() - 1) / (line.size() - 1);
  double sum = 0;
  for (std::size_t i = 0; i < line.size(); ++i) sum += std::pow(double(line[i]) - double(fine[i * step]), 2);
  return std::sqrt(sum / double(line.size()));
}

// Emits the errors of one scheme for several steps, and their fitted slope. The last of `steps` is the reference run's.
void errors_against(const Bench& bench, const char* experiment, const char* scheme, const char* step_name,
                    const std::vector<double>& steps, const std::function<Assignments(double)>& run) {
  const Line fine = bench.final_v(run(steps.back()));
  const std::vector<double> measured(steps.begin(), steps.end() - 1);
  std::vector<double> errors;
  for (const double step : measured) {
    const Line v = bench.final_v(run(step));
    if (bench.stop()) return;
    errors.push_back(rms_difference(v, fine));
    bench.put(bench.row(experiment, scheme, assign(step_name, step), bench.setup.backends.back(), long(v.size())),
              "rms error", errors.back());
  }
  bench.put(bench.row(experiment, scheme, step_name, bench.setup.backends.back(), 0), "slope",
            fitted_slope(measured, errors));
}

void errors_in_space(const Bench& bench) {
  for (const char* scheme : {"explicit", "implicit"}) {
    const bool implicit = std::string(scheme) == "implicit";
    const std::vector<double> steps =
        bench.setup.quick ? std::vector<double>{1, 0.5, 0.0625} : std::vector<double>{1, 0.5, 0.25, 0.125, 0.03125};
    errors_against(bench, "errors-dx", scheme, "dx", steps, [&](double dx) {
      return Assignments{
          std::string("scheme=") + scheme,    "precision=double", "end_time=1",
          implicit ? "dt=0.01" : "dt=0.0004", assign("dx", dx),   "nodes=" + std::to_string(std::lround(200 / dx) + 1)};
    });
  }
}

void errors_in_time(const Bench& bench) {
  for (const char* scheme : {"explicit", "implicit"}) {
    const bool implicit = std::string(scheme) == "implicit";
    errors_against(
        bench, "errors-dt", scheme, "dt",
        implicit ? std::vector<double>{0.4, 0.2, 0.1, 0.05, 0.0025}
                 : std::vector<double>{0.1, 0.05, 0.025, 0.0125, 0.0001},
        [&](double dt) {
          return Assignments{std::string("scheme=") + scheme, "precision=double", "end_time=10", assign("dt", dt)};
        });
  }
}

// Whether v stays bounded in this run.
bool is_stable(const Bench& bench, const Assignments& assignments) {
  try {
    bench.final_v(assignments);
    return true;
  } catch (const Error& error) {
    if (error.fault() == Fault::input) throw;
    return false;
  }
}

// The largest stable Δt / Δx², by bisection; 4 if all smaller values are stable.
void stability(const Bench& bench) {
  for (const char* scheme : {"explicit", "adaptive", "implicit"})
    for (const double dx : {0.25, 0.5, 1.0}) {
      double stable = 0, unstable = 4;
      const auto run = [&](double ratio) {
        return Assignments{std::string("scheme=") + scheme, assign("dx", dx), assign("dt", ratio * dx * dx),
                           "end_time=200"};
      };
      if (is_stable(bench, run(unstable))) stable = unstable;
      for (int i = 0; i < (bench.setup.quick ? 4 : 12) && stable < unstable; ++i) {
        const double middle = 0.5 * (stable + unstable);
        (is_stable(bench, run(middle)) ? stable : unstable) = middle;
      }
      if (bench.stop()) return;
      bench.put(bench.row("stability", scheme, assign("dx", dx), bench.setup.backends.back(), 401), "dt/dx²", stable);
    }
}

using fitzhugh_nagumo::Solver;
constexpr std::pair<Solver, const char*> tridiagonal_solvers[] = {
    {Solver::thomas, "thomas"},
    {Solver::cyclic_reduction, "cyclic-reduction"},
    {Solver::parallel_cyclic_reduction, "parallel-cyclic-reduction"},
    {Solver::halo, "halo"},
    {Solver::partition, "partition"},
    {Solver::cusparse, "cusparse"}};

// The corrections of Newton's method in the step at t = 20, for each solver, in double precision.
void newton(const Bench& bench) {
  for (const Backend backend : bench.setup.backends)
    for (const auto& [solver, name] : tridiagonal_solvers) {
      if (solver == Solver::cusparse && backend == Backend::cpu) continue;
      try {
        const auto simulation = bench.make(
            {"scheme=implicit", "precision=double", "dt=0.25", "end_time=20", std::string("solver=") + name}, backend);
        bench.finish(*simulation);
        if (bench.stop()) return;
        const std::vector<float> corrections = dynamic_cast<WaveSimulation&>(*simulation).newton_corrections();
        for (std::size_t i = 0; i < corrections.size(); ++i) {
          BenchmarkRow row = bench.row("newton", name, "divergent", backend, 401);
          row.iterations = static_cast<long>(i + 1);
          bench.put(row, "correction", corrections[i]);
        }
      } catch (const Error& error) {
        if (error.fault() != Fault::input) throw;  // cuSPARSE is not installed
      }
    }
}

void adaptive(const Bench& bench) {
  for (const char* scheme : {"adaptive", "adaptive-paper"})
    for (const double time : {15.06, 30.13, 45.05, 60.12, 75.05, 90.11}) {  // the times of the paper's Fig. 8
      const auto simulation =
          bench.make({std::string("scheme=") + scheme, assign("end_time", time)}, bench.setup.backends.back());
      bench.finish(*simulation);
      if (bench.stop()) return;
      bench.put(bench.row("adaptive", scheme, assign("t", time), bench.setup.backends.back(), 401), "mean nodes used",
                reported(*simulation, "nodes_used"));
    }
}

// The seconds of a whole run, with the state at the start in the backend's memory.
RepeatedTimes run_times(const Bench& bench, Simulation& simulation) {
  return time_runs(
      [&] {
        simulation.restart();
        simulation.finish();
        const auto begin = Clock::now();
        bench.finish(simulation);
        return std::chrono::duration<double>(Clock::now() - begin).count();
      },
      bench.setup.quick);
}

// An impulse on an axon of length 200 at t = 100, when its waves have not come near the ends. Two runs by the implicit
// scheme in double precision, one with half the steps, are combined so that their errors of second order cancel.
Line reference_impulse(const Bench& bench, double dx) {
  const auto run = [&](double each, double dt) {
    return bench.final_v({"scheme=implicit", "precision=double", "end_time=100", assign("dx", each), assign("dt", dt),
                          assign("nodes", 200 / each + 1)});
  };
  Line fine = run(0.5 * dx, 0.32 * dx);
  const Line coarse = run(dx, 0.64 * dx);
  for (std::size_t i = 0; i < coarse.size(); ++i) fine[2 * i] = (4 * fine[2 * i] - coarse[i]) / 3;
  return fine;
}

// The rms error against a reference that covers the middle of the axon; beyond it the reference counts as 0.
double rms_of_impulse(const Line& line, double dx, const Line& fine, double fine_dx) {
  const auto stride = std::lround(dx / fine_dx), middle = long(line.size() / 2), fine_middle = long(fine.size() / 2);
  double sum = 0;
  for (long i = 0; i < long(line.size()); ++i) {
    const long there = fine_middle + (i - middle) * stride;
    const double v = there >= 0 && there < long(fine.size()) ? fine[std::size_t(there)] : 0.0;
    sum += std::pow(line[std::size_t(i)] - v, 2);
  }
  return std::sqrt(sum / double(line.size()));
}

// Error against time: one impulse on a long axon until t = 100, by each scheme. The grids or tolerances become finer
// and finer.
void errors_over_time(const Bench& bench) {
  const double reference_dx = bench.setup.quick ? 0.25 : 0.0625;
  const Line fine = reference_impulse(bench, reference_dx);
  const auto measure = [&](Backend backend, const char* scheme, long nodes, double dx, Assignments run) {
    if (bench.stop()) return;
    const double length = double(nodes - 1) * 0.5;
    const std::string setting = run.back();
    run.insert(run.end(),
               {std::string("scheme=") + scheme, "end_time=100", assign("dx", dx), assign("nodes", length / dx + 1)});
    const auto simulation = bench.make(run, backend);
    const RepeatedTimes times = run_times(bench, *simulation);
    if (bench.stop()) return;
    BenchmarkRow row = bench.row("errors-time", std::string(scheme) + ", nodes=" + std::to_string(nodes), setting,
                                 backend, long(std::lround(length / dx)) + 1);
    set_times(row, times);
    row.iterations = simulation->progress().iteration;
    bench.put(row, "rms error",
              rms_of_impulse(simulation->result().find("v")->numbers.floats(), dx, fine, 0.5 * reference_dx));
  };
  for (const long nodes : bench.setup.quick ? std::vector<long>{1'001} : std::vector<long>{401, 20'001, 1'000'001})
    for (const Backend backend : bench.setup.backends) {
      const bool slow = backend == Backend::cpu && nodes > 20'001;
      for (const double dx : slow ? std::vector<double>{1, 0.5} : std::vector<double>{1, 0.5, 0.25})
        measure(backend, "explicit", nodes, dx, {assign("dx", dx)});
      for (const double dx : slow ? std::vector<double>{1} : std::vector<double>{1, 0.5, 0.25})
        measure(backend, "implicit", nodes, dx, {assign("dt", 0.5 * dx)});
      // Tolerances from a little below the explicit scheme's error at dx = 0.5 downwards.
      for (const double part : {0.9, 0.3, 0.1, 0.01, 0.001})
        if (const double tolerance = part * 0.54 / std::sqrt(double(nodes));
            tolerance >= fitzhugh_nagumo::least_float_tolerance)
          measure(backend, "adaptive", nodes, 0.5, {assign("tolerance", tolerance)});
    }
}

// Seconds per step with the state in the backend's memory; with `transfers` it is copied to the host after every step.
RepeatedTimes step_times(const Bench& bench, Simulation& simulation, bool transfers) {
  auto& waves = dynamic_cast<WaveSimulation&>(simulation);
  std::vector<std::byte> v(transfers ? waves.field_bytes() : 0), w(v.size());
  double per_step = 0;
  const auto once = [&] {
    simulation.restart();
    simulation.finish();
    const auto begin = Clock::now();
    if (transfers) {
      for (bool more = true; more && !bench.stop(); waves.copy_fields(v.data(), w.data()))
        more = simulation.advance({std::numeric_limits<double>::infinity(), 1});
    } else {
      bench.finish(simulation);
    }
    simulation.finish();
    per_step = std::chrono::duration<double>(Clock::now() - begin).count() /
               double(std::max(1L, simulation.progress().iteration));
    return per_step;
  };
  if (!bench.setup.quick) return repeat_timed(once, 3, 7, 1.0);
  once();
  return {per_step, per_step, per_step, 1};
}

void time_steps(const Bench& bench, const char* experiment, const char* method, const Assignments& assignments,
                Backend backend, bool transfers) {
  const auto simulation = bench.make(assignments, backend);
  const RepeatedTimes times = step_times(bench, *simulation, transfers);
  if (bench.stop()) return;
  const Progress progress = simulation->progress();
  BenchmarkRow row =
      bench.row(experiment, method, transfers ? "with transfers" : "without transfers", backend, long(progress.points));
  set_times(row, times);
  row.iterations = progress.iteration;
  bench.put(row, "nodes a second", double(progress.points) / times.median);
}

void steps(const Bench& bench) {
  for (int power = 8; power <= (bench.setup.quick ? 10 : 24); power += 2)
    for (const Backend backend : bench.setup.backends)
      for (const char* scheme : {"explicit", "adaptive", "implicit"}) {
        const bool large = power > 18, cuda = backend == Backend::cuda;
        for (const bool transfers : {false, true}) {
          if (bench.stop()) return;
          const int count = cuda && !large && !transfers ? 512 : large && (!cuda || transfers) ? 4 : 64;
          time_steps(bench, "steps", scheme,
                     {std::string("scheme=") + scheme, "case=impulses", "nodes=" + std::to_string(1L << power),
                      "dt=0.1", assign("end_time", 0.1 * count)},
                     backend, transfers);
        }
      }
}

void sheets(const Bench& bench) {
  for (long side = 256; side <= (bench.setup.quick ? 256 : 8192); side *= 2)
    for (const Backend backend : bench.setup.backends) {
      if (bench.stop()) return;
      if (backend == Backend::cpu && side > 2048) continue;
      const int count = backend == Backend::cpu ? 8 : 256;
      time_steps(bench, "sheets", "explicit",
                 {"dimensions=2", "case=impulses", "nodes=" + std::to_string(side), "dt=0.05",
                  assign("end_time", 0.05 * count)},
                 backend, false);
    }
}

// Solves one system of a Newton step with dt = `ratio` dx². The larger the ratio, the less the diagonal dominates.
void solve_one(const Bench& bench, Backend backend, Solver solver, const char* name, long rows, int ratio) {
  const std::string step = ratio == 1 ? "dt = dx²" : "dt = " + std::to_string(ratio) + " dx²";
  BenchmarkRow row = bench.row("solvers", ratio == 1 ? name : name + (", " + step), step, backend, rows);
  row.repetitions = 5;
  try {
    const auto trial = fitzhugh_nagumo::time_solver(
        {.backend = backend, .threads = bench.setup.threads, .device = bench.setup.device}, solver, rows, ratio);
    row.median_seconds = row.min_seconds = row.max_seconds = trial.seconds;
    bench.put(row, "largest residual", trial.residual);
  } catch (const Error& error) {
    if (error.fault() != Fault::input) throw;  // else cuSPARSE is not installed, or the halo would be too wide
  }
}

void solvers(const Bench& bench) {
  for (const int ratio : {1, 10, 100, 1000})
    for (int power = 10; power <= (bench.setup.quick ? 10 : 24); power += ratio == 1 ? 2 : 7)
      for (const Backend backend : bench.setup.backends)
        for (const auto& [solver, name] : tridiagonal_solvers) {
          const bool cuda = backend == Backend::cuda;
          if (bench.stop()) return;
          if (cuda ? solver == Solver::thomas && power > 12 : solver == Solver::cusparse || power > 22) continue;
          solve_one(bench, backend, solver, name, 1L << power, ratio);
        }
}

template <void (*run)(const Bench&)>
void with_bench(const BenchmarkSetup& setup, const EmitRow& emit, const Stop& stop) {
  run({setup, emit, stop});
}

}  // namespace

std::vector<BenchmarkExperiment> fitzhugh_nagumo_experiments() {
  return {
      {"errors-dx", "FitzHugh–Nagumo: rms error at t = 1 against dx, and the slope fitted", with_bench<errors_in_space>,
       BenchmarkPlot::figure_over_parameter},
      {"errors-dt", "FitzHugh–Nagumo: rms error at t = 10 against dt, and the slope fitted", with_bench<errors_in_time>,
       BenchmarkPlot::figure_over_parameter},
      {"stability", "FitzHugh–Nagumo: the largest stable dt/dx² by bisection (4: none found)", with_bench<stability>,
       BenchmarkPlot::figure_over_parameter},
      {"newton", "FitzHugh–Nagumo: Newton's corrections in the step at t = 20", with_bench<newton>,
       BenchmarkPlot::figure_over_iterations},
      {"adaptive", "FitzHugh–Nagumo: mean number of nodes that the adaptive schemes used, of 401", with_bench<adaptive>,
       BenchmarkPlot::figure_over_parameter},
      {"errors-time", "FitzHugh–Nagumo: rms error of an impulse at t = 100 against seconds, on three lengths of axon",
       with_bench<errors_over_time>, BenchmarkPlot::figure_over_seconds},
      {"steps", "FitzHugh–Nagumo: seconds a step against the number of nodes", with_bench<steps>,
       BenchmarkPlot::seconds_over_points},
      {"solvers", "FitzHugh–Nagumo: seconds for one tridiagonal system (the least of five)", with_bench<solvers>,
       BenchmarkPlot::seconds_over_points},
      {"sheets", "FitzHugh–Nagumo: seconds a step of a sheet", with_bench<sheets>, BenchmarkPlot::seconds_over_points}};
}

}  // namespace kinescope::bench
