// The experiments of F. Vaccaro, "Clustering with Mean Shift" (2019), for every method and backend, and further ones.
// Times are from data in the executor's memory to the end of the last iteration; for pictures, from data in host memory
// to labels there. The figure `clusters` is the number of clusters found. `error` is the largest distance, in
// bandwidths, between some of the points (4 to 200) and the places to which exact sums in double would move them.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/mean_shift/made_picture.hpp"
#include "kinescope/bench/experiments.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/in_parallel.hpp"
#include "kinescope/mean_shift/mean_shift.hpp"
#include "kinescope/mean_shift/mean_shift_parameters.hpp"
#include "kinescope/mean_shift/naive_part.hpp"
#include "kinescope/random.hpp"

namespace kinescope::bench {
namespace {

constexpr int paper_iterations = 15;
// Pairs of points per second, at most, that methods visiting all pairs are expected to process, and how long a row may
// take: the paper's largest case would take hours on one thread.
constexpr double naive_pairs_a_second = 1e8, cpu_pairs_a_second = 1e9, cuda_pairs_a_second = 1e12,
                 patience_seconds = 30;

struct Case {
  std::shared_ptr<const Dataset> data;
  std::string name, method;
  std::vector<std::string> assignments;
  bool whole = false;  // from data in host memory to labels there
};

std::shared_ptr<const Dataset> gaussians(long n, int k, int clusters) {
  return load_dataset({"synthetic:gaussians,n=" + std::to_string(n) + ",k=" + std::to_string(k) +
                       ",clusters=" + std::to_string(clusters)});
}

// The places to which exact sums in double move some of the points in 15 iterations.
struct Reference {
  std::vector<std::size_t> points;
  std::vector<double> places;  // [points × dimensions]
  double bandwidth = 1;

  // The largest error in bandwidths.
  double largest_error(const Table& found) const {
    const std::size_t k = places.size() / points.size();
    double largest = 0;
    for (std::size_t s = 0; s < points.size(); ++s) {
      double square = 0;
      for (std::size_t c = 0; c < k; ++c)
        square += std::pow(places[s * k + c] - found.columns[c].numbers[points[s]], 2);
      largest = std::max(largest, std::sqrt(square) / bandwidth);
    }
    return largest;
  }
};

// Uses as many points as 2·10^8 pairs allow, from 4 to 200.
Reference make_reference(const Dataset& data, double bandwidth) {
  const std::size_t k = data.dimensions, n = data.points;
  const std::size_t samples =
      std::clamp<std::size_t>(200'000'000 / (paper_iterations * n), 4, std::min<std::size_t>(n, 200));
  Reference reference;
  reference.bandwidth = bandwidth;
  for (std::size_t s = 0; s < samples; ++s) reference.points.push_back(s * n / samples);
  reference.places.resize(samples * k);
  in_parallel(samples, 1, [&](std::size_t s) {
    double* y = reference.places.data() + s * k;
    std::vector<double> moment(k);
    for (std::size_t c = 0; c < k; ++c) y[c] = data.values()[reference.points[s] * k + c];
    for (int t = 0; t < paper_iterations; ++t) {
      double weight = 0;
      std::fill(moment.begin(), moment.end(), 0.0);
      for (std::size_t j = 0; j < n; ++j) {
        double square = 0;
        for (std::size_t c = 0; c < k; ++c) square += std::pow(data.values()[j * k + c] - y[c], 2);
        const double w = std::exp(-0.5 * square / (bandwidth * bandwidth));
        weight += w;
        for (std::size_t c = 0; c < k; ++c) moment[c] += w * data.values()[j * k + c];
      }
      for (std::size_t c = 0; c < k; ++c) y[c] = moment[c] / weight;
    }
  });
  return reference;
}

// The figure that a row has in addition to its time, and how it is computed.
struct Quality {
  std::string figure;
  std::function<double(Simulation&)> value;
};

const Quality clusters = {
    "clusters", [](Simulation& simulation) { return static_cast<double>(simulation.table("centroids").rows); }};

// Measures a case. Returns the row without its figure; its time is 0 once stopped. `simulation` becomes the one that
// was measured.
BenchmarkRow measure_case(const Case& each, const std::string& experiment, const Setup& setup, bool quick,
                          const Stop& stop, std::unique_ptr<Simulation>& simulation) {
  const SimulationKind& kind = mean_shift_kind();
  const std::unique_ptr<ParameterSet> parameters = kind.make_parameters();
  parameters->set("method", each.method);
  for (const std::string& assignment : each.assignments) parameters->set(assignment);
  simulation = kind.make(setup, *parameters);
  const auto once = [&]() -> double {
    using Clock = std::chrono::steady_clock;
    if (stop()) return 0;
    if (!each.whole) return time_restart(*simulation, stop);
    const auto start = Clock::now();
    simulation = kind.make(setup, *parameters);
    run_to_end(*simulation, stop);
    simulation->table("centroids");
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  BenchmarkRow row = row_of(experiment, each.method, each.name, setup);
  set_times(row, time_runs(once, quick));
  row.iterations = simulation->progress().iteration;
  return row;
}

// Measures a case and emits its row; false once stopped.
bool emit_case(const Case& each, const std::string& experiment, const Setup& setup, bool quick, const Quality& quality,
               const EmitRow& emit, const Stop& stop) {
  std::unique_ptr<Simulation> simulation;
  BenchmarkRow row = measure_case(each, experiment, setup, quick, stop, simulation);
  if (stop()) return false;
  row.figure = quality.figure;
  row.value = quality.value(*simulation);
  emit(row);
  return !stop();
}

bool fits_patience(const std::string& method, double points, const Setup& setup, int threads) {
  if (method != "naive" && method != "tiled") return true;
  const double speed = setup.backend == Backend::cuda
                           ? cuda_pairs_a_second
                           : threads * (method == "naive" ? naive_pairs_a_second : cpu_pairs_a_second);
  return points * points * paper_iterations / speed <= patience_seconds;
}

// Emits one row for each backend, and another one for the CPU with a single thread. False once stopped.
bool on_all(const BenchmarkSetup& benchmark, const Case& each, const std::string& experiment, const Quality& quality,
            const EmitRow& emit, const Stop& stop) {
  for (const Backend backend : benchmark.backends) {
    std::vector<int> threads = {benchmark.threads};
    const int all = benchmark.threads > 0 ? benchmark.threads : cpu_threads();
    if (backend == Backend::cpu && all > 1 && !each.whole) threads = {1, benchmark.threads};
    for (const int count : threads) {
      const Setup setup{each.data, backend, count, benchmark.device};
      if (!fits_patience(each.method, double(each.data->points), setup, count > 0 ? count : all)) continue;
      if (!emit_case(each, experiment, setup, benchmark.quick, quality, emit, stop)) return false;
    }
  }
  return true;
}

const std::vector<std::string> paper_settings = {"bandwidth=1.5", "iterations=15"};

// N = 500 … 500,000, by every method.
void run_methods(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  for (const long n : {500L, 5'000L, 50'000L, 500'000L}) {
    if (benchmark.quick && n > 500) return;
    const auto data = gaussians(n, 2, 3);
    const Reference reference = make_reference(*data, 1.5);
    const Quality quality = {"error", [&](Simulation& run) { return reference.largest_error(run.result()); }};
    for (const char* method : {"naive", "tiled", "grid", "field", "auto"}) {
      const Case each{data, "synthetic:gaussians,n=" + std::to_string(n), method, paper_settings};
      if (!on_all(benchmark, each, "mean-shift", quality, emit, stop)) return;
    }
  }
}

// Table 1: how many times faster each is than `naive` on one thread. Where that would take too long, only a part of the
// points is moved, and the time is extrapolated. Table 2: `tiled` against `naive` on the same processor.
void run_table(int number, const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  constexpr std::int64_t measured_part = 256;
  const std::string experiment = "mean-shift-table-" + std::to_string(number);
  for (const long n : {500L, 5'000L, 50'000L, 500'000L}) {
    if (benchmark.quick && n > 500) return;
    const auto data = gaussians(n, 2, 3);
    const std::string name = "synthetic:gaussians,n=" + std::to_string(n);
    double naive_seconds = 0;
    const auto emit_row = [&](BenchmarkRow row) {
      row.figure = number == 1 ? "times one thread's naive" : "times naive";
      row.value = naive_seconds / row.median_seconds;
      if (!stop()) emit(row);
    };
    const auto measure = [&](const char* method, const Setup& setup) {
      std::unique_ptr<Simulation> simulation;
      return measure_case({data, name, method, paper_settings}, experiment, setup, benchmark.quick, stop, simulation);
    };
    const auto fits = [&](const char* method, const Setup& setup) {
      return fits_patience(method, double(n), setup, setup.threads > 0 ? setup.threads : cpu_threads());
    };
    if (const Setup one_thread{data, Backend::cpu, 1}; number == 1) {
      BenchmarkRow row = row_of(experiment, "naive, extrapolated", name, one_thread);
      row.iterations = paper_iterations;
      if (fits("naive", one_thread)) {
        row = measure("naive", one_thread);
      } else {
        const double seconds =
            naive_seconds_of_part(*data, 1.5, paper_iterations, measured_part) * double(n) / double(measured_part);
        set_times(row, {seconds, seconds, seconds, 1});
      }
      naive_seconds = row.median_seconds;
      emit_row(row);
    }
    for (const Backend backend : benchmark.backends) {
      const Setup setup{data, backend, benchmark.threads, benchmark.device};
      if (number == 2) {
        if (!fits("naive", setup)) continue;
        const BenchmarkRow naive = measure("naive", setup);
        naive_seconds = naive.median_seconds;
        emit_row(naive);
      }
      if (fits("tiled", setup)) emit_row(measure("tiled", setup));
    }
    if (stop()) return;
  }
}

// Figure 3: the time against the width of a tile, and on CUDA also against the number of threads per block.
void run_tiles(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  for (const Backend backend : benchmark.backends) {
    const long n = benchmark.quick ? 1'000 : backend == Backend::cuda ? 100'000 : 10'000;
    const auto data = gaussians(n, 2, 3);
    const Setup setup{data, backend, benchmark.threads, benchmark.device};
    const auto measure = [&](const std::string& parameter, int value) {
      std::vector<std::string> settings = paper_settings;
      settings.push_back(parameter + "=" + std::to_string(value));
      const Case each{data, "synthetic:gaussians,n=" + std::to_string(n) + " " + settings.back(), "tiled", settings};
      const Quality quality = {parameter == "tile_width" ? "tile width" : "threads of a block",
                               [&](Simulation&) { return double(value); }};
      return emit_case(each, "mean-shift-tiles", setup, benchmark.quick, quality, emit, stop);
    };
    for (const int width : {16, 32, 64, 128, 256, 512, 1024})
      if (!measure("tile_width", width)) return;
    if (backend != Backend::cuda) continue;
    for (const int threads : {32, 64, 128, 256, 512})
      if (!measure("block_threads", threads)) return;
  }
}

// Three columns, with up to ten million points.
void run_space(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  for (const long n : {100'000L, 1'000'000L, 10'000'000L}) {
    const long points = benchmark.quick ? 1'000 : n;
    const Case each{gaussians(points, 3, 8),
                    "synthetic:gaussians,n=" + std::to_string(points) + ",k=3,clusters=8",
                    "auto",
                    {"bandwidth=1", "iterations=15"}};
    if (!on_all(benchmark, each, "mean-shift-3d", clusters, emit, stop) || benchmark.quick) return;
  }
}

// Pictures, segmented until converged.
void run_pictures(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  const std::size_t width = benchmark.quick ? 40 : 1280, height = benchmark.quick ? 25 : 800;
  const auto data = made_picture(width, height);
  for (const char* features : {"rgb", "xyrgb"}) {
    const Case each{data,
                    data->name + " " + features,
                    "auto",
                    {"bandwidth=12", "space_bandwidth=16", std::string("features=") + features},
                    true};
    if (!on_all(benchmark, each, "mean-shift-pictures", clusters, emit, stop)) return;
  }
}

}  // namespace

// Smooth colours that change over the picture, with noise of a standard deviation of five grey levels, so that hardly
// any neighbours are equal.
std::shared_ptr<const Dataset> made_picture(std::size_t width, std::size_t height) {
  const Random random(11, 1);
  double waves[3][6][4];
  std::uint64_t drawn = 0;
  for (auto& channel : waves)
    for (auto& wave : channel)
      for (double& value : wave) value = random.uniform(drawn++);
  Table table;
  table.source = "a made picture, " + std::to_string(width) + " x " + std::to_string(height);
  table.rows = width * height;
  table.picture = {width, height};
  for (const char* name : {"x", "y", "r", "g", "b"}) table.columns.push_back({name});
  for (std::size_t i = 0; i < table.rows; ++i) {
    const double x = double(i % width), y = double(i / width);
    table.columns[0].numbers.push_back(static_cast<float>(x));
    table.columns[1].numbers.push_back(static_cast<float>(y));
    for (std::uint32_t c = 0; c < 3; ++c) {
      double value = 128 + 5 * random.normal(100 + i, c);
      for (const auto& wave : waves[c])
        value +=
            23 * (1 + wave[3]) * std::cos(0.04 * (wave[0] - 0.5) * x + 0.04 * (wave[1] - 0.5) * y + 6.28 * wave[2]);
      table.columns[2 + c].numbers.push_back(static_cast<float>(std::clamp(std::round(value), 0.0, 255.0)));
    }
  }
  return std::make_shared<const Dataset>(make_dataset(std::move(table), {}));
}

std::vector<BenchmarkExperiment> mean_shift_experiments() {
  return {
      {"mean-shift", "Mean shift: seconds of 15 iterations by every method, the data in place", run_methods},
      {"mean-shift-table-1", "Mean shift, table 1: all pairs, how many times faster than naive on one thread",
       [](auto&&... a) { run_table(1, a...); }, BenchmarkPlot::figure_over_points},
      {"mean-shift-table-2", "Mean shift, table 2: all pairs, how many times faster tiles are than naive",
       [](auto&&... a) { run_table(2, a...); }, BenchmarkPlot::figure_over_points},
      {"mean-shift-tiles", "Mean shift, figure 3: seconds against the width of a tile and of a block", run_tiles},
      {"mean-shift-3d", "Mean shift in three columns: seconds of 15 iterations, the data in place", run_space},
      {"mean-shift-pictures", "Pictures segmented until converged: seconds from host memory to labels", run_pictures}};
}

}  // namespace kinescope::bench
