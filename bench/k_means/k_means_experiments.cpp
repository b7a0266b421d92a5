// The experiment `k-means`: the three published sweeps (N = 10 … 10^7 at d = 2, K = 2; d = 2 … 128 at N = 10^5, K = 2;
// K = 2 … 128 at N = 10^5, d = 2), and two large problems. Every row starts from random points, so that only Lloyd's
// iteration is timed.
//
// The experiment `k-means-from-memory`: the two large problems, from data in host memory to labels there, as when a
// library is called. One row has the total time, and one row each has a part of it: sending the points to the device
// (on the CPU: laying them out), everything else before the first iteration, the iterations, and the labels.
#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <numeric>

#include "kinescope/bench/experiments.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/k_means/k_means.hpp"

namespace kinescope::bench {
namespace {

struct Case {
  long points;
  int dimensions, clusters, iterations;
  int made;        // number of Gaussians in the data
  bool cuda_only;  // takes minutes on a CPU
};

std::vector<Case> large_cases() {
  return {{10'000'000, 2, 4, 100, 4, false}, {1'000'000, 128, 1024, 20, 1024, true}};
}

std::vector<Case> all_cases() {
  std::vector<Case> cases;
  for (long points = 10; points <= 10'000'000; points *= 10) cases.push_back({points, 2, 2, 100, 8, false});
  for (int dimensions = 2; dimensions <= 128; dimensions *= 2) cases.push_back({100'000, dimensions, 2, 100, 8, false});
  for (int clusters = 2; clusters <= 128; clusters *= 2) cases.push_back({100'000, 2, clusters, 100, 8, false});
  const std::vector<Case> large = large_cases();
  cases.insert(cases.end(), large.begin(), large.end());
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

std::unique_ptr<ParameterSet> parameters_of(const Case& each) {
  std::unique_ptr<ParameterSet> parameters = k_means_kind().make_parameters();
  parameters->set("clusters", std::to_string(each.clusters));
  parameters->set("iterations", std::to_string(each.iterations));
  parameters->set("start", "random");
  parameters->set("stop", "iterations");
  return parameters;
}

BenchmarkRow measured_row(const Case& each, const Processor& processor, const std::string& source,
                          const std::shared_ptr<const Dataset>& data, const BenchmarkSetup& benchmark,
                          const Stop& stop) {
  const SimulationKind& kind = k_means_kind();
  const std::unique_ptr<ParameterSet> parameters = parameters_of(each);
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

// The seconds of one run from memory, by parts.
struct FromMemory {
  static constexpr std::size_t parts = 4;
  static constexpr const char* names[parts] = {"sending", "preparing", "iterations", "labels"};
  double seconds[parts] = {};
};

FromMemory time_from_memory(const Setup& setup, ParameterSet& parameters, std::vector<std::uint32_t>& labels,
                            const Stop& stop) {
  using Clock = std::chrono::steady_clock;
  const auto between = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  };
  const auto begin = Clock::now();
  const std::unique_ptr<Simulation> simulation = k_means_kind().make(setup, parameters);
  const auto made = Clock::now();
  run_to_end(*simulation, stop);
  const auto ended = Clock::now();
  auto& run = dynamic_cast<KMeans&>(*simulation);
  run.labels(labels);
  const auto done = Clock::now();
  const double sending = run.sending_seconds();
  return {{sending, between(begin, made) - sending, between(made, ended), between(ended, done)}};
}

RepeatedTimes spread_of(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back(), static_cast<int>(seconds.size())};
}

void emit_from_memory(const Case& each, const Processor& processor, const std::string& source,
                      const std::shared_ptr<const Dataset>& data, const BenchmarkSetup& benchmark, const EmitRow& emit,
                      const Stop& stop) {
  const std::unique_ptr<ParameterSet> parameters = parameters_of(each);
  const Setup setup{data, processor.backend, processor.threads, benchmark.device};
  // The start of CUDA is not timed. CUDA stays started as long as one user of it lives: `beside`.
  Setup small = setup;
  small.data = load_dataset({"synthetic:gaussians,n=1000,k=2"});
  const std::unique_ptr<ParameterSet> plain = k_means_kind().make_parameters();
  const std::unique_ptr<Simulation> beside = k_means_kind().make(small, *plain);
  std::vector<std::uint32_t> labels(data->points);
  std::vector<FromMemory> runs;
  const RepeatedTimes whole = time_runs(
      [&] {
        runs.push_back(time_from_memory(setup, *parameters, labels, stop));
        return std::accumulate(std::begin(runs.back().seconds), std::end(runs.back().seconds), 0.0);
      },
      benchmark.quick);
  if (stop()) return;
  if (runs.size() > 1)
    runs.erase(runs.begin(), runs.end() - whole.repetitions);  // the earlier ones were for warming up
  BenchmarkRow row = row_of("k-means-from-memory",
                            std::string(processor.method) + ", K " + std::to_string(each.clusters), source, setup);
  row.iterations = each.iterations;
  row.figure = "share";
  row.value = 1;
  set_times(row, whole);
  emit(row);
  for (std::size_t part = 0; part < FromMemory::parts; ++part) {
    std::vector<double> seconds;
    for (const FromMemory& run : runs) seconds.push_back(run.seconds[part]);
    row.method = std::string(processor.method) + ": " + FromMemory::names[part];
    set_times(row, spread_of(std::move(seconds)));
    row.value = row.median_seconds / whole.median;
    emit(row);
  }
}

// Calls f for each case on each processor that can take it.
template <class F>
void for_each_case(const std::vector<Case>& cases, const BenchmarkSetup& benchmark, const Stop& stop, F f) {
  for (const Case& each : cases) {
    if (benchmark.quick && each.points > 2'000) continue;
    const bool on_cuda = benchmark.backends.back() == Backend::cuda;
    if (each.cuda_only && !on_cuda) continue;
    const std::string source = "synthetic:gaussians,n=" + std::to_string(each.points) +
                               ",k=" + std::to_string(each.dimensions) + ",clusters=" + std::to_string(each.made);
    const std::shared_ptr<const Dataset> data = load_dataset({source});
    for (const Processor& processor : processors(benchmark)) {
      if (each.cuda_only && processor.backend == Backend::cpu) continue;
      f(each, processor, source, data);
      if (stop()) return;
    }
  }
}

void run_sweeps(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  for_each_case(all_cases(), benchmark, stop,
                [&](const auto& each, const auto& processor, const auto& source, const auto& data) {
                  const BenchmarkRow row = measured_row(each, processor, source, data, benchmark, stop);
                  if (!stop()) emit(row);
                });
}

void run_from_memory(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  std::vector<Case> cases = large_cases();
  if (benchmark.quick) cases = {{1'000, 2, 4, 10, 4, false}};
  for_each_case(cases, benchmark, stop,
                [&](const auto& each, const auto& processor, const auto& source, const auto& data) {
                  emit_from_memory(each, processor, source, data, benchmark, emit, stop);
                });
}

}  // namespace

std::vector<BenchmarkExperiment> k_means_experiments() {
  return {{"k-means", "k-means: seconds of a run with the data in memory, and the inertia reached", run_sweeps},
          {"k-means-from-memory", "k-means: seconds from points in host memory to labels there, and the parts of it",
           run_from_memory}};
}

}  // namespace kinescope::bench
