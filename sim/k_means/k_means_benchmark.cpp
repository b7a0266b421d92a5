// The experiment `k-means`: the three published sweeps (N = 10 … 10^7 at d = 2, K = 2; d = 2 … 128 at N = 10^5, K = 2;
// K = 2 … 128 at N = 10^5, d = 2), and two large problems. Every row starts from random points, so that only Lloyd's
// iteration is timed.
#include <memory>

#include "sim/core/benchmark.hpp"
#include "sim/data/load.hpp"
#include "sim/k_means/k_means.hpp"

namespace kinescope::sim {
namespace {

struct Case {
  long points;
  int dimensions, clusters, iterations;
  int made;        // number of Gaussians in the data
  bool cuda_only;  // takes minutes on a CPU
};

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (long points = 10; points <= 10'000'000; points *= 10) cases.push_back({points, 2, 2, 100, 8, false});
  for (int dimensions = 2; dimensions <= 128; dimensions *= 2) cases.push_back({100'000, dimensions, 2, 100, 8, false});
  for (int clusters = 2; clusters <= 128; clusters *= 2) cases.push_back({100'000, 2, clusters, 100, 8, false});
  cases.push_back({10'000'000, 2, 4, 100, 4, false});
  cases.push_back({1'000'000, 128, 1024, 20, 1024, true});
  return cases;
}

struct Processor {
  Backend backend;
  int threads;  // as in Setup
  const char* method;
};

std::vector<Processor> processors(const BenchmarkSetup& benchmark) {
  std::vector<Processor> all;
  for (const Backend backend : benchmark.backends)
    if (backend == Backend::cuda) {
      all.push_back({backend, benchmark.threads, "cuda"});
    } else {
      all.push_back({backend, 1, "1 thread"});
      if (benchmark.threads != 1) all.push_back({backend, benchmark.threads, "all threads"});
    }
  return all;
}

BenchmarkRow measured_row(const Case& each, const Processor& processor, const std::string& source,
                          const std::shared_ptr<const Dataset>& data, const BenchmarkSetup& benchmark,
                          const Stop& stop) {
  const SimulationKind& kind = k_means_kind();
  const std::unique_ptr<ParameterSet> parameters = kind.make_parameters();
  parameters->set("clusters", std::to_string(each.clusters));
  parameters->set("iterations", std::to_string(each.iterations));
  parameters->set("start", "random");
  parameters->set("stop", "iterations");
  const Setup setup{data, processor.backend, processor.threads, benchmark.device};
  const std::unique_ptr<Simulation> simulation = kind.make(setup, *parameters);
  BenchmarkRow row =
      row_of("k-means", std::string(processor.method) + ", K " + std::to_string(each.clusters), source, setup);
  set_times(row, time_runs([&] { return time_restart(*simulation, stop); }, benchmark.quick));
  row.iterations = simulation->progress().iteration;
  row.figure = "inertia";
  if (!stop()) row.value = reported(*simulation, row.figure);
  return row;
}

void run_experiment(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  for (const Case& each : all_cases()) {
    if (benchmark.quick && each.points > 2'000) continue;
    const bool on_cuda = benchmark.backends.back() == Backend::cuda;
    if (each.cuda_only && !on_cuda) continue;
    const std::string source = "synthetic:gaussians,n=" + std::to_string(each.points) +
                               ",k=" + std::to_string(each.dimensions) + ",clusters=" + std::to_string(each.made);
    const std::shared_ptr<const Dataset> data = load_dataset({source});
    for (const Processor& processor : processors(benchmark)) {
      if (each.cuda_only && processor.backend == Backend::cpu) continue;
      const BenchmarkRow row = measured_row(each, processor, source, data, benchmark, stop);
      if (stop()) return;
      emit(row);
    }
  }
}

}  // namespace

std::vector<BenchmarkExperiment> k_means_experiments() {
  return {{"k-means", "k-means: seconds of a run with the data in memory, and the inertia reached", run_experiment}};
}

}  // namespace kinescope::sim
