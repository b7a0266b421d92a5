// The experiment `two-cores`: what the program does without a GPU, beside what the machine can do. Its rows are those
// of docs/measurements.md ("Without a GPU"); tests/bench/two_cores.py runs other programs on the same work.
#include <chrono>
#include <cmath>
#include <fmt/core.h>
#include <memory>
#include <oneapi/tbb/global_control.h>
#include <string>
#include <vector>

#include "app/cli/commands/commands.hpp"
#include "app/runs/registry.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/executors/lanes.hpp"
#include "kinescope/in_parallel.hpp"

namespace kinescope::app {
namespace {

struct TwoCoresRun {
  const char* simulation;
  const char* data;  // "" for those that take none
  std::vector<std::string> settings;
  bool quick = false;  // belongs to --quick too
};

const std::vector<TwoCoresRun>& two_cores_runs() {
  static const std::vector<TwoCoresRun> all = {
      {"k-means", "synthetic:gaussians,n=1000000,k=2,clusters=8", {"clusters=8", "iterations=20"}},
      {"k-means", "synthetic:gaussians,n=1000000,k=8,clusters=16", {"clusters=16", "iterations=20"}},
      {"k-means", "synthetic:gaussians,n=100000,k=128,clusters=256", {"clusters=256", "iterations=20"}},
      {"k-means", "synthetic:topics,n=100000,h=128,clusters=30", {"clusters=256", "iterations=20"}},
      {"k-means", "synthetic:topics,n=100000,h=64,clusters=30", {"clusters=1024", "iterations=10"}},
      {"k-means", "synthetic:topics,n=20000,h=768,clusters=30", {"clusters=256", "iterations=20"}},
      {"mean-shift", "synthetic:gaussians,n=1000000,k=2,clusters=3", {}},
      {"mean-shift", "synthetic:gaussians,n=100000,k=3,clusters=8", {}},
      {"mean-shift", "synthetic:gaussians,n=10000,k=6,clusters=5", {}},
      {"mean-shift", "synthetic:gaussians,n=10000,k=9,clusters=5", {}},
      {"glimmer", "synthetic:topics,n=20000", {}},
      {"glimmer", "synthetic:grid,n=1000000,h=8", {}},
      {"glimmer", "synthetic:gaussians,n=2000,k=9,clusters=10", {"algorithm=smacof"}, true},
      {"glimmer", "synthetic:gaussians,n=2000,k=9,clusters=10", {"algorithm=pivot-mds"}},
      {"glimmer", "synthetic:gaussians,n=2000,k=9,clusters=10", {"algorithm=landmark"}, true},
      {"glimmer", "synthetic:gaussians,n=2000,k=9,clusters=10", {"algorithm=chalmers"}},
      {"fitzhugh-nagumo", "", {"nodes=20001", "end_time=1000"}},
      {"fitzhugh-nagumo", "", {"nodes=1000001", "end_time=20"}},
      {"fitzhugh-nagumo", "", {"nodes=20001", "end_time=1000", "scheme=implicit"}},
      {"fitzhugh-nagumo", "", {"nodes=20001", "end_time=1000", "scheme=adaptive"}, true},
      {"fitzhugh-nagumo", "", {"dimensions=2", "nodes=128", "end_time=500"}},
      {"fitzhugh-nagumo", "", {"dimensions=2", "nodes=512", "end_time=200"}},
      {"fitzhugh-nagumo", "", {"dimensions=2", "nodes=1024", "end_time=50"}},
      {"fitzhugh-nagumo", "", {"dimensions=2", "nodes=2048", "end_time=20"}},
      {"fitzhugh-nagumo", "", {"dimensions=2", "nodes=4096", "end_time=5"}},
  };
  return all;
}

double since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

// The rows have different figures, so each is named beside its value.
void put(bench::BenchmarkRow& row, const char* figure, double value) {
  row.figure = figure;
  row.value = value;
  row.note = fmt::format("{} {:.4g}", figure, value);
}

// Multiply-adds of eight floats, in as many independent sums as hide their latency. Returns the operations done.
double multiply_add(std::size_t threads, std::vector<float>& results) {
  constexpr std::size_t sums = 12, rounds = 1 << 22;
  sim::in_parallel(threads, 1, [&](std::size_t thread) {
    using sim::lanes::Float8;
    Float8 sum[sums] = {};
    const Float8 a = sim::lanes::broadcast(results[thread]), b = sim::lanes::broadcast(1e-9f);
    for (std::size_t round = 0; round < rounds; ++round) {
#pragma GCC unroll 12
      for (Float8& each : sum) each = sim::lanes::fma(each, a, b);
    }
    for (const Float8& each : sum) results[thread] += sim::lanes::sum(each);
  });
  return 2.0 * 8 * sums * rounds * double(threads);
}

// What the machine can do: the least of several times counts.
void measure_machine(const bench::BenchmarkSetup& benchmark, const bench::EmitRow& emit, const bench::Stop& stop) {
  const auto threads =
      std::size_t(oneapi::tbb::global_control::active_value(oneapi::tbb::global_control::max_allowed_parallelism));
  bench::BenchmarkRow row =
      bench::row_of("two-cores", "the machine: multiply-adds", "", {.threads = benchmark.threads});
  std::vector<float> results(threads, 0.5f);
  double operations = 0;
  bench::set_times(row, bench::time_runs(
                            [&] {
                              const auto began = std::chrono::steady_clock::now();
                              operations = multiply_add(threads, results);
                              return since(began);
                            },
                            benchmark.quick));
  put(row, "GFLOP/s", 1e-9 * operations / row.min_seconds);
  if (!stop()) emit(row);

  row = bench::row_of("two-cores", "the machine: reading memory", "", {.threads = benchmark.threads});
  const std::vector<double> values(benchmark.quick ? 1 << 20 : 1 << 26, 1.0);
  constexpr std::size_t block = 1 << 16;
  std::vector<double> sums(values.size() / block);
  bench::set_times(row, bench::time_runs(
                            [&] {
                              const auto began = std::chrono::steady_clock::now();
                              sim::in_parallel(sums.size(), 16, [&](std::size_t which) {
                                sim::lanes::Double4 sum[4] = {};
                                const double* from = values.data() + which * block;
                                for (std::size_t i = 0; i < block; i += 16)
                                  for (std::size_t k = 0; k < 4; ++k) sum[k] += sim::lanes::load4(from + i + 4 * k);
                                const auto all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
                                sums[which] = (all[0] + all[1]) + (all[2] + all[3]);
                              });
                              return since(began);
                            },
                            benchmark.quick));
  put(row, "GB/s", 1e-9 * double(values.size() * sizeof(double)) / row.min_seconds);
  if (!stop()) emit(row);
}

// How fast a run was: k-means as if it computed every distance; of waves the nodes of all steps. Else the run's figure.
void set_rate(bench::BenchmarkRow& row, const sim::SimulationKind& kind, sim::ParameterSet& parameters,
              sim::Simulation& simulation) {
  const auto value = [&](const char* name) { return std::stod(parameters.find(name)->text()); };
  const double rounds = double(row.iterations) / row.median_seconds;
  if (kind.name == "k-means")
    return put(row, "GFLOP/s", 2e-9 * double(row.points) * double(row.dimensions) * value("clusters") * rounds);
  if (kind.name == "fitzhugh-nagumo")
    return put(row, "node-steps/s", std::pow(value("nodes"), value("dimensions")) * rounds);
  const char* figure = kind.name == "glimmer" ? "stress" : "largest_error";
  put(row, figure, bench::reported(simulation, figure));
}

void run_two_cores(const bench::BenchmarkSetup& benchmark, const bench::EmitRow& emit, const bench::Stop& stop) {
  measure_machine(benchmark, emit, stop);
  for (const TwoCoresRun& each : two_cores_runs()) {
    if (stop()) return;
    if (benchmark.quick && !each.quick) continue;
    const sim::SimulationKind& kind = *find_simulation(each.simulation);
    const std::unique_ptr<sim::ParameterSet> parameters = kind.make_parameters();
    std::string method = each.simulation;
    for (const std::string& setting : each.settings) {
      const std::size_t equals = setting.find('=');
      parameters->set(setting.substr(0, equals), setting.substr(equals + 1));
      method += " " + setting;
    }
    if (kind.name == "k-means") parameters->set("start", "random"), parameters->set("stop", "iterations");
    sim::Setup setup{nullptr, sim::Backend::cpu, benchmark.threads};
    if (*each.data) setup.data = sim::load_dataset({each.data});
    const std::unique_ptr<sim::Simulation> simulation = kind.make(setup, *parameters);
    bench::BenchmarkRow row = bench::row_of("two-cores", method, each.data, setup);
    bench::set_times(row, bench::time_runs([&] { return bench::time_restart(*simulation, stop); }, benchmark.quick));
    if (stop()) return;
    row.iterations = simulation->progress().iteration;
    set_rate(row, kind, *parameters, *simulation);
    emit(row);
  }
}

}  // namespace

bench::BenchmarkExperiment two_cores_experiment() {
  return {"two-cores", "Without a GPU: seconds of runs with the data in memory, beside what the machine can do",
          run_two_cores};
}

}  // namespace kinescope::app
