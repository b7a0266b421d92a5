// The experiment `k-means-distributed`, after *Distributed k-Means Clustering*: seconds of a run over N, by one process
// and by several (its figures 6 to 8); for the largest N, what the workers' time is spent on (table 1); and the
// iterations before, at and after a worker's loss and return (figure 5). d = 2, K = 4, 100 iterations from random
// points, as in the paper. Its figures 3 and 4, about sending blocks, are in transports_benchmark.cpp: workers read the
// data themselves.
//
// On CUDA: three problems, by one process on one GPU, and by two and four processes on as many GPUs.
#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/commands/commands.hpp"
#include "app/io/timings.hpp"
#include "app/runs/interrupt.hpp"
#include "app/view/workers.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/k_means/k_means.hpp"

namespace kinescope::app {
namespace {

using Clock = std::chrono::steady_clock;
using Values = std::vector<double>;

// The length of a run in iterations, the iteration before which a worker is killed, and the one before which another is
// started.
struct Course {
  int iterations, gone, back;
};
constexpr Course paper = {100, 29, 69}, quick_course = {12, 4, 8};

struct Problem {
  long points;
  int dimensions, clusters, iterations;
  int made;  // Gaussians in the data
};
constexpr Problem gpu_problems[] = {
    {100'000'000, 2, 64, 20, 64}, {10'000'000, 128, 1024, 20, 1024}, {10'000'000, 2, 4, 100, 4}};

constexpr std::array<const char*, 3> parts = {"computing", "combining", "waiting"};
using Split = std::array<double, 3>;  // seconds of all workers together

class Experiment {
 public:
  Experiment(const bench::BenchmarkSetup& benchmark, const bench::EmitRow& emit, const bench::Stop& stop)
      : benchmark_(benchmark), emit_(emit), stop_(stop), course_(benchmark.quick ? quick_course : paper) {}
  void run();
  void run_on_gpus();

 private:
  struct Run;
  void load(const Problem& problem);
  void skip(const std::string& method, const std::string& why);
  void time_alone(const char* method, int threads);
  void time_workers(int workers, bool split);
  void lose_one(const char* on_loss);
  int threads_of(int workers) const;
  sim::Setup setup(int threads) const { return {data_, backend_, threads, benchmark_.device, 1, {}}; }
  void emit(const std::string& method, int threads, const bench::RepeatedTimes& times, long iterations, double share);

  const bench::BenchmarkSetup& benchmark_;
  const bench::EmitRow& emit_;
  const bench::Stop& stop_;
  const Course course_;
  sim::Backend backend_ = sim::Backend::cpu;
  Problem problem_{};
  sim::DataRequest request_;
  std::shared_ptr<const sim::Dataset> data_;
};

// A run, with workers or without.
struct Experiment::Run {
  Run(const Experiment& experiment, int threads, int count, const char* on_loss = "redeal")
      : parameters(sim::k_means_kind().make_parameters()) {
    WorkersSetup setup;
    setup.threads = threads;
    setup.count = count;
    parameters->set("clusters", std::to_string(experiment.problem_.clusters));
    parameters->set("start=random");
    parameters->set("stop=iterations");
    parameters->set("iterations", std::to_string(experiment.problem_.iterations));
    parameters->set("on_loss", on_loss);
    if (count > 0) workers.emplace(setup, sim::k_means_kind(), experiment.request_, *parameters, 1);
    simulation = sim::k_means_kind().make(experiment.setup(threads), *parameters);
    if (workers)
      workers->serve(
          *simulation, [](const std::string&) {}, interrupted);
  }

  std::unique_ptr<sim::ParameterSet> parameters;
  std::optional<Workers> workers;
  std::unique_ptr<sim::Simulation> simulation;
};

template <class T>
T entry_of(const sim::Report& report, const char* key) {
  for (const auto& [name, value] : report.entries)
    if (name == key) return std::get<T>(value);
  return {};
}

Split split_of(sim::Simulation& simulation) {
  Split split{};
  for (const sim::Report& worker : entry_of<std::vector<sim::Report>>(simulation.report(), "workers"))
    for (std::size_t part = 0; part < parts.size(); ++part)
      split[part] += entry_of<double>(worker, (std::string(parts[part]) + "_seconds").c_str());
  return split;
}

bench::RepeatedTimes once(double seconds) {
  return {seconds, seconds, seconds, 1};
}

bench::RepeatedTimes spread_of(Values seconds) {
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back(), static_cast<int>(seconds.size())};
}

void Experiment::load(const Problem& problem) {
  problem_ = problem;
  request_.source = "synthetic:gaussians,n=" + std::to_string(problem.points) +
                    ",k=" + std::to_string(problem.dimensions) + ",clusters=" + std::to_string(problem.made);
  data_ = nullptr;
  data_ = sim::load_dataset(request_);
}

void Experiment::skip(const std::string& method, const std::string& why) {
  bench::BenchmarkRow row = bench::row_of("k-means-distributed", method, request_.source, setup(0));
  row.figure = "share";
  row.note = why;
  emit_(row);
}

// The threads of all workers together.
int Experiment::threads_of(int workers) const {
  return std::max(workers, benchmark_.threads > 0 ? benchmark_.threads : sim::cpu_threads());
}

void Experiment::emit(const std::string& method, int threads, const bench::RepeatedTimes& times, long iterations,
                      double share) {
  if (stop_()) return;
  bench::BenchmarkRow row = bench::row_of("k-means-distributed", method, request_.source, setup(threads));
  bench::set_times(row, times);
  row.iterations = iterations;
  row.figure = "share";
  row.value = share;
  emit_(row);
}

void Experiment::time_alone(const char* method, int threads) {
  const Run run(*this, threads, 0);
  emit(method, threads, bench::time_runs([&] { return bench::time_restart(*run.simulation, stop_); }, benchmark_.quick),
       problem_.iterations, 1);
}

// With `split`, the shares are those of the first run: workers count the time between runs as waiting.
void Experiment::time_workers(int workers, bool split) {
  const Run run(*this, benchmark_.threads, workers);
  const int threads = threads_of(workers);
  const bool on_gpus = backend_ == sim::Backend::cuda;
  const std::string method = std::to_string(workers) + (on_gpus ? " GPU" : " worker") + (workers == 1 ? "" : "s");
  const auto time = [&] { return bench::time_restart(*run.simulation, stop_); };
  const double first = split ? time() : 0;
  const Split seconds = split_of(*run.simulation);
  if (split && !on_gpus)
    emit(method, threads, once(first), problem_.iterations, 1);
  else
    emit(method, threads, bench::time_runs(time, benchmark_.quick), problem_.iterations, 1);
  if (!split) return;
  for (std::size_t part = 0; part < parts.size(); ++part)
    emit(method + ": " + parts[part], threads, once(seconds[part] / workers), problem_.iterations,
         seconds[part] / std::accumulate(seconds.begin(), seconds.end(), 0.0));
}

void Experiment::lose_one(const char* on_loss) {
  Run run(*this, benchmark_.threads, 4, on_loss);
  Values seconds;  // of each iteration
  run.simulation->restart();
  for (bool more = true; more && !stop_();) {
    const int next = static_cast<int>(seconds.size()) + 1;
    if (next == course_.gone) run.workers->kill_one();
    if (next == course_.back) run.workers->start_another();
    const auto began = Clock::now();
    more = run.simulation->advance({.iterations = 1});
    if (run.simulation->progress().iteration == next)  // placing the first centroids is no iteration
      seconds.push_back(seconds_since(began));
  }
  if (stop_()) return;
  const auto joined = entry_of<std::vector<sim::Report>>(run.simulation->report(), "joined");
  const int end = course_.iterations + 1;
  const int back = joined.empty() ? end : static_cast<int>(entry_of<std::int64_t>(joined.front(), "iteration"));
  const double whole = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  const auto emit_part = [&](const char* part, int from, int to) {
    if (from >= to) return;
    const Values own(seconds.begin() + from - 1, seconds.begin() + to - 1);
    emit(std::string(on_loss) + ": " + part, threads_of(4), spread_of(own), to - from,
         std::accumulate(own.begin(), own.end(), 0.0) / whole);
  };
  emit_part("before the loss", 1, course_.gone);
  emit_part("the loss", course_.gone, course_.gone + 1);
  emit_part("three workers", course_.gone + 1, back);
  emit_part("the return", back, std::min(back + 1, end));
  emit_part("after the return", back + 1, end);
}

void Experiment::run() {
  const long most = benchmark_.quick ? 1'000 : 10'000'000;
  for (long points = 1'000; points <= most; points *= 10) {
    load({points, 2, 4, course_.iterations, 4});
    time_alone("1 thread", 1);
    if (benchmark_.threads != 1 && !stop_()) time_alone("all threads", benchmark_.threads);
    for (const int workers : {1, 2, 4, 8})
      if (!stop_()) time_workers(workers, points == most);
    if (stop_()) return;
  }
  for (const char* on_loss : {"redeal", "drop"})
    if (!stop_()) lose_one(on_loss);
}

void Experiment::run_on_gpus() {
  backend_ = sim::Backend::cuda;
  const int gpus = static_cast<int>(sim::cuda_devices().size());
  for (Problem problem : gpu_problems) {
    if (benchmark_.quick) problem.points = 2'000, problem.clusters = std::min(problem.clusters, 64);
    load(problem);
    time_alone("1 GPU", benchmark_.threads);
    for (const int workers : {2, 4}) {
      if (stop_()) return;
      if (workers <= gpus)
        time_workers(workers, true);
      else
        skip(std::to_string(workers) + " GPUs", "this machine has " + std::to_string(gpus));
    }
  }
}

void run_experiment(const bench::BenchmarkSetup& benchmark, const bench::EmitRow& emit, const bench::Stop& stop) {
  if (benchmark.backends.front() == sim::Backend::cpu) Experiment(benchmark, emit, stop).run();
  if (benchmark.backends.back() == sim::Backend::cuda && !stop()) Experiment(benchmark, emit, stop).run_on_gpus();
}

}  // namespace

bench::BenchmarkExperiment workers_experiment() {
  return {"k-means-distributed",
          "k-means with several processes: seconds of a run, shares of the workers' time, and iterations around the "
          "loss of a worker",
          run_experiment, bench::BenchmarkPlot::seconds_over_points};
}

}  // namespace kinescope::app
