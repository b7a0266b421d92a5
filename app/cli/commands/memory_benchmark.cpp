// The experiment `memory`, after figures 5.1 and 5.2 of the Glimmer thesis: how many bytes a point takes, which says
// how many points fit. Each run is a process of its own, so that its peak is its own: the system tells the most memory
// that a process has had, reading or making the data and the figures of the report included. Of a GPU, the least free
// memory during the run is compared with that before it. Bytes a point are the difference between the peaks of two
// sizes, so that what does not grow with the points (the program, CUDA, tables of constants) drops out.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/core.h>
#include <memory>
#include <optional>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "app/cli/commands/commands.hpp"
#include "app/runs/interrupt.hpp"
#include "app/runs/programs.hpp"
#include "kinescope/error.hpp"
#include "kinescope/executors/devices.hpp"

namespace kinescope::app {
namespace {

struct MemoryCase {
  const char* simulation;
  int columns, clusters;  // of the made data
  std::vector<std::string> settings;
};

const std::vector<MemoryCase>& memory_cases() {
  static const std::vector<MemoryCase> all = {
      {"glimmer", 9, 10, {}},
      {"glimmer", 64, 10, {}},
      {"k-means", 9, 10, {"clusters=10"}},
      {"k-means", 64, 10, {"clusters=10"}},
      {"mean-shift", 2, 3, {"bandwidth=1.5", "iterations=15"}},
      {"mean-shift", 3, 8, {"bandwidth=1", "iterations=15"}},
  };
  return all;
}

struct Peak {
  double host = 0, device = 0;  // bytes
};

// Runs this program with other arguments to its end. None if it fails, or once `stop`. Throws Error (run).
std::optional<Peak> peak_of(std::vector<std::string> words, const bench::BenchmarkSetup& benchmark, bool on_gpu,
                            const bench::Stop& stop) {
  const auto free_bytes = [&] { return on_gpu ? double(sim::cuda_free_bytes(benchmark.device)) : 0.0; };
  const double free_before = free_bytes();
  double least_free = free_before;
  words.insert(words.begin(), "kinescope");
  pid_t process = 0;
  if (const int refused = start_program("/proc/self/exe", words, {.flags = POSIX_SPAWN_SETPGROUP}, process))
    throw sim::run_error(std::string("a run cannot be started: ") + std::strerror(refused));
  const std::shared_ptr<void> ends_with_us = before_abrupt_end([process](bool) { kill(process, SIGKILL); });
  int status = 0;
  rusage usage{};
  while (wait4(process, &status, WNOHANG, &usage) == 0) {
    if (stop()) kill(process, SIGKILL);
    least_free = std::min(least_free, free_bytes());
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (stop() || !WIFEXITED(status) || WEXITSTATUS(status) != 0) return std::nullopt;
  return Peak{1024.0 * double(usage.ru_maxrss), free_before - least_free};
}

// The system counts what the starting process had to a started one, up to the moment it becomes another program.
bool is_its_own(const Peak& peak) {
  rusage own{};
  getrusage(RUSAGE_SELF, &own);
  return peak.host > 1024.0 * double(own.ru_maxrss);
}

class Memory {
 public:
  Memory(const bench::BenchmarkSetup& benchmark, const bench::EmitRow& emit, const bench::Stop& stop)
      : benchmark_(benchmark), emit_(emit), stop_(stop) {}
  void run() {
    for (const MemoryCase& each : memory_cases())
      for (const sim::Backend backend : benchmark_.backends)
        if (!stop_()) measure(each, backend);
  }

 private:
  void measure(const MemoryCase& each, sim::Backend backend);
  void put(bench::BenchmarkRow row, const char* figure, double value) {
    row.figure = figure;
    row.value = value;
    row.note = fmt::format("{} {:.4g}", figure, value);
    emit_(row);
  }

  const bench::BenchmarkSetup& benchmark_;
  const bench::EmitRow& emit_;
  const bench::Stop& stop_;
};

void Memory::measure(const MemoryCase& each, sim::Backend backend) {
  const bool on_gpu = backend == sim::Backend::cuda;
  const std::array<long, 2> sizes = {benchmark_.quick ? 1'000 : 250'000, benchmark_.quick ? 2'000 : 1'000'000};
  std::array<Peak, 2> peaks;
  bench::BenchmarkRow row = bench::row_of(
      "memory", each.simulation, "", {.backend = backend, .threads = benchmark_.threads, .device = benchmark_.device});
  row.dimensions = each.columns;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    row.data = fmt::format("synthetic:gaussians,n={},k={},clusters={}", sizes[i], each.columns, each.clusters);
    row.points = sizes[i];
    std::vector<std::string> words = {"run",       each.simulation, "--data",    row.data,
                                      "--backend", row.backend,     "--threads", std::to_string(benchmark_.threads)};
    if (benchmark_.threads == 0) words.resize(words.size() - 2);
    for (const std::string& setting : each.settings) words.insert(words.end(), {"--set", setting});
    const std::optional<Peak> peak = peak_of(words, benchmark_, on_gpu, stop_);
    if (stop_()) return;
    if (!peak || !is_its_own(*peak)) {
      row.repetitions = 0;
      row.note = peak ? "this process had more memory than the run: start this experiment alone" : "the run failed";
      return emit_(row);
    }
    peaks[i] = *peak;
    put(row, "peak MB", 1e-6 * peak->host);
    if (on_gpu) put(row, "device peak MB", 1e-6 * peak->device);
  }
  const double more = double(sizes[1] - sizes[0]);
  put(row, "bytes a point", (peaks[1].host - peaks[0].host) / more);
  if (on_gpu) put(row, "device bytes a point", (peaks[1].device - peaks[0].device) / more);
}

}  // namespace

bench::BenchmarkExperiment memory_experiment() {
  return {"memory", "Glimmer, k-means and mean shift: the most memory of a run, and bytes a point",
          [](const auto&... a) { Memory(a...).run(); }, bench::BenchmarkPlot::figure_over_points};
}

}  // namespace kinescope::app
