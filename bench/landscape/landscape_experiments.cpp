// The experiment `landscape` measures the cost of each part: terrain against its size; surfaces of metaballs against
// the grid and against their number; the surface of the same plume against the grid, where time grows with the surface
// and not with the cube of the grid; surfaces of dense fields; a whole iteration with many butterflies.
#include <algorithm>

#include "kinescope/bench/experiments.hpp"
#include "kinescope/executors/devices.hpp"
#include "kinescope/landscape/landscape.hpp"
#include "kinescope/landscape/landscape_parameters.hpp"
#include "kinescope/landscape/parts.hpp"
#include "kinescope/random.hpp"

namespace kinescope::bench {
using namespace sim::landscape;
namespace {

class Bench {
 public:
  Bench(const BenchmarkSetup& setup, Backend backend, const EmitRow& emit, const Stop& stop)
      : setup_(setup), backend_(backend), emit_(emit), stop_(stop) {
    if constexpr (cuda_built)
      if (on_cuda()) parts_ = make_parts_cuda(setup.device);
    if (!parts_) parts_ = make_parts_cpu(setup.threads);
  }

  void run() {
    for (const int levels : {8, 10, 11, 12, 13}) terrain(levels);
    for (const int nodes : {64, 128, 256, 512})
      for (const int count : {1'000, 10'000, 100'000})
        if (nodes < 512 || count < 100'000)  // otherwise the surface does not fit in the memory used for timing
          balls("metaballs", nodes, count, 3.0f / static_cast<float>(nodes));
    balls("metaballs strewn over the cube", 256, 100'000, 3.0f / 256, true);
    for (const int nodes : {64, 128, 256, 512}) balls("same plume", nodes, 10'000, 1.0f / 64);
    for (const int nodes : {128, 256, 512}) dense(nodes);
    for (const int count : {60, 500, 2'000}) butterflies(count);
  }

 private:
  bool on_cuda() const { return backend_ == Backend::cuda; }

  // `once` returns the seconds of one operation, measured over several that are enqueued together. It may set `value`,
  // the row's figure.
  void measure(const std::string& method, const std::string& data, long points, const std::string& figure,
               const std::function<double(double& value)>& once) {
    if (stop_()) return;
    BenchmarkRow row =
        row_of("landscape", method, data, {.backend = backend_, .threads = setup_.threads, .device = setup_.device});
    row.points = points;
    row.dimensions = 3;
    row.iterations = 1;
    row.figure = figure;
    const RepeatedTimes times = setup_.quick ? repeat_timed([&] { return once(row.value); }, 1, 1, 0)
                                             : repeat_timed([&] { return once(row.value); });
    set_times(row, times);
    emit_(row);
  }

  int together() const { return on_cuda() ? 10 : 1; }

  void terrain(int levels) {
    if ((setup_.quick && levels > 8) || (!on_cuda() && levels > 12)) return;
    TerrainSettings settings;
    settings.levels = levels;
    const long size = (1L << levels) + 1;
    measure("terrain", std::to_string(size) + "²", size * size, "heights", [&, size](double& value) {
      value = double(size * size);
      return parts_->time_terrain(settings, together());
    });
  }

  // Balls strewn over a plume whose foot is an eighth of the grid wide. If their radius is a number of cells, each ball
  // adds about the same surface on every grid. If it is a length in space, the plume is the same on every grid, and
  // finer grids resolve it better.
  void balls(const std::string& method, int nodes, int count, float radius, bool strewn = false) {
    if (setup_.quick && (nodes > 64 || count > 2000)) return;
    const Random random(1, 5);
    std::vector<Ball> plume;
    for (int i = 0; i < count; ++i) {
      const RandomWords words = random.words(static_cast<std::uint64_t>(i));
      const float z = 0.05f + 0.9f * uniform_float(words[2]), wide = strewn ? 0.45f : 0.06f + 0.3f * z;
      plume.push_back({0.5f + wide * (2 * uniform_float(words[0]) - 1), 0.5f + wide * (2 * uniform_float(words[1]) - 1),
                       z, radius});
    }
    CubicGrid grid;
    grid.nodes = nodes;
    const std::string name = std::to_string(count) + " balls in " + std::to_string(nodes) + "³";
    measure(method, name, count, "vertices", [&](double& value) {
      std::size_t vertices = 0;
      const double seconds = parts_->time_surface(grid, plume, 0.25f, together(), vertices);
      value = double(vertices);
      return seconds;
    });
  }

  void dense(int nodes) {
    if ((setup_.quick && nodes > 64) || (!on_cuda() && nodes > 256)) return;
    measure("dense field", std::to_string(nodes) + "³", long{nodes} * nodes * nodes, "vertices", [&](double& value) {
      std::size_t vertices = 0;
      const double seconds = parts_->time_dense_surface(nodes, together(), vertices);
      value = double(vertices);
      return seconds;
    });
  }

  void butterflies(int count) {
    if (setup_.quick && count > 60) return;
    LandscapeParameters parameters;
    parameters.set("terrain_size=8");
    parameters.set("duration=100000");
    parameters.set("butterflies", std::to_string(count));
    const auto simulation = landscape_kind().make(Setup{nullptr, backend_, setup_.threads, setup_.device}, parameters);
    constexpr long steps = 120;
    measure("step", std::to_string(count) + " butterflies, smoke", count, "particles", [&](double& value) {
      const double before = simulation->progress().seconds;
      simulation->advance({std::numeric_limits<double>::infinity(), steps});
      simulation->finish();
      value = simulation->progress().figure;
      return (simulation->progress().seconds - before) / steps;
    });
  }

  const BenchmarkSetup& setup_;
  Backend backend_;
  const EmitRow& emit_;
  const Stop& stop_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace

std::vector<BenchmarkExperiment> landscape_experiments() {
  return {{"landscape", "Parts of the landscape: seconds for each, with all data in the backend's memory",
           [](const BenchmarkSetup& setup, const EmitRow& emit, const Stop& stop) {
             for (const Backend backend : setup.backends) Bench(setup, backend, emit, stop).run();
           }}};
}

}  // namespace kinescope::bench
