#include "sim/core/benchmark.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "sim/core/devices.hpp"

namespace kinescope::sim {

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
  using Clock = std::chrono::steady_clock;
  once();
  const auto start = Clock::now();
  std::vector<double> seconds;
  while (static_cast<int>(seconds.size()) < most) {
    seconds.push_back(once());
    const double spent = std::chrono::duration<double>(Clock::now() - start).count();
    if (static_cast<int>(seconds.size()) >= least && spent > enough_seconds) break;
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back(), static_cast<int>(seconds.size())};
}

}  // namespace kinescope::sim
