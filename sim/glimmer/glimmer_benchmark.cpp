// The experiment `glimmer`: what the thesis measures (seconds and stress of Glimmer and of the stochastic force), and
// how both grow with the number of points.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>

#include "sim/core/benchmark.hpp"
#include "sim/core/error.hpp"
#include "sim/data/load.hpp"
#include "sim/glimmer/glimmer.hpp"

namespace kinescope::sim {
namespace {

struct Case {
  std::string source;           // the name of a published file, or made data
  long points = 0;              // number of its points
  std::string assignment = "";  // a parameter that the experiment sets, "NAME=VALUE"

  bool is_published() const { return !source.starts_with("synthetic:"); }
  std::string name() const { return assignment.empty() ? source : source + " " + assignment; }
};

const Case cases[] = {
    {"cancer.csv", 683},
    {"digits.csv", 1'797},
    {"shuttle.csv", 43'500, "normalize=minmax"},
    {"synthetic:grid,n=10000,h=8", 10'000},
    {"synthetic:swissroll,n=1089", 1'089},
    {"synthetic:simplex,n=1000", 1'000},
    {"synthetic:colours,n=4096", 4'096},
    {"synthetic:gaussians,n=20000,k=9,clusters=10", 20'000},
    {"mnist-t10k-images-idx3-ubyte.gz", 10'000},
    {"synthetic:topics,n=20000", 20'000},
    {"synthetic:topics,n=100000", 100'000},
    {"synthetic:grid,n=1000,h=9", 1'000},
    {"synthetic:grid,n=10000,h=9", 10'000},
    {"synthetic:grid,n=100000,h=9", 100'000},
    {"synthetic:grid,n=1000000,h=9", 1'000'000},
};
constexpr const char* methods[] = {"glimmer", "glimmer-2007", "stochastic-force"};

constexpr long quick_points = 2'000;

// Null if the file is not there.
std::shared_ptr<const Dataset> load(const Case& each, const std::string& directory) {
  DataRequest request{each.source};
  if (each.is_published()) {
    const std::filesystem::path path = std::filesystem::path(directory) / each.source;
    std::error_code error;
    if (directory.empty() || !std::filesystem::exists(path, error)) return nullptr;
    request.source = path.string();
  }
  return load_dataset(request);
}

// NaN unless every point has a place: a report's stress leaves out points without a place, which would flatter a failed
// run.
double stress_of(Simulation& simulation) {
  for (const Column& column : simulation.result().columns)
    if (!std::all_of(column.numbers.begin(), column.numbers.end(), [](float x) { return std::isfinite(x); }))
      return std::numeric_limits<double>::quiet_NaN();
  return reported(simulation, "stress");
}

BenchmarkRow measured_row(const Case& each, const char* method, const Setup& setup, bool quick, const Stop& stop) {
  const SimulationKind& kind = glimmer_kind();
  const std::unique_ptr<ParameterSet> parameters = kind.make_parameters();
  parameters->set("algorithm", method);
  if (!each.assignment.empty()) parameters->set(each.assignment);
  const std::unique_ptr<Simulation> simulation = kind.make(setup, *parameters);
  BenchmarkRow row = row_of("glimmer", method, each.name(), setup);
  set_times(row, time_runs([&] { return time_restart(*simulation, stop); }, quick));
  row.iterations = simulation->progress().iteration;
  row.figure = "stress";
  if (!stop()) row.value = stress_of(*simulation);
  return row;
}

void run_experiment(const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  for (const Case& each : cases) {
    if (benchmark.quick && each.points > quick_points) continue;
    const std::shared_ptr<const Dataset> data = load(each, benchmark.data_directory);
    if (!data) continue;
    for (const char* method : methods)
      for (const Backend backend : benchmark.backends) {
        const Setup setup{data, backend, benchmark.threads, benchmark.device};
        const BenchmarkRow row = measured_row(each, method, setup, benchmark.quick, stop);
        if (stop()) return;
        emit(row);
      }
  }
}

}  // namespace

std::vector<BenchmarkExperiment> glimmer_experiments() {
  return {{"glimmer", "Glimmer layouts: seconds with the data on the device, and the normalized stress reached",
           run_experiment}};
}

}  // namespace kinescope::sim
