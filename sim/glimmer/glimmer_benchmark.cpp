// The experiments `glimmer`, what the thesis measures (seconds and stress of Glimmer and of the stochastic force) and
// how both grow with the number of points; and `layouts`, the same of all algorithms (the thesis's figures 6.3 to 6.6).
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>

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
const std::vector<const char*> methods = {"glimmer", "glimmer-2007", "stochastic-force"};

const Case compared_cases[] = {
    {"cancer.csv", 683},
    {"synthetic:grid,n=1600,h=8", 1'600},
    {"bcspwr10.mtx", 5'300, "metric=graph"},
    {"synthetic:grid,n=10000,h=8", 10'000},
    {"synthetic:grid,n=10000,h=8,noise=0.01", 10'000},
    {"docs.svm.gz", 26'096, "metric=cosine-squared"},
    {"shuttle.csv", 43'500},
};
const std::vector<const char*> compared_methods = {"glimmer",  "glimmer-2007", "stochastic-force",
                                                   "chalmers", "pivot-mds",    "landmark",
                                                   "classic",  "smacof",       "nonmetric"};

constexpr long quick_points = 2'000;

// Null if the file is not there.
std::shared_ptr<const Dataset> load(const Case& each, const std::string& directory) {
  DataRequest request{each.source};
  if (each.assignment == "metric=graph") request.reading = Reading::graph;
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

BenchmarkRow measured_row(const std::string& experiment, const Case& each, const char* method, const Setup& setup,
                          bool quick, const Stop& stop) {
  const SimulationKind& kind = glimmer_kind();
  const std::unique_ptr<ParameterSet> parameters = kind.make_parameters();
  parameters->set("algorithm", method);
  if (!each.assignment.empty()) parameters->set(each.assignment);
  const std::unique_ptr<Simulation> simulation = kind.make(setup, *parameters);
  BenchmarkRow row = row_of(experiment, method, each.name(), setup);
  set_times(row, time_runs([&] { return time_restart(*simulation, stop); }, quick));
  row.iterations = simulation->progress().iteration;
  row.figure = "stress";
  if (!stop()) row.value = stress_of(*simulation);
  return row;
}

void run_cases(const std::string& experiment, std::span<const Case> list, const std::vector<const char*>& of,
               const BenchmarkSetup& benchmark, const EmitRow& emit, const Stop& stop) {
  for (const Case& each : list) {
    if (benchmark.quick && each.points > quick_points) continue;
    const std::shared_ptr<const Dataset> data = load(each, benchmark.data_directory);
    if (!data) continue;
    for (const char* method : of)
      for (const Backend backend : benchmark.backends) {
        const Setup setup{data, backend, benchmark.threads, benchmark.device};
        try {
          const BenchmarkRow row = measured_row(experiment, each, method, setup, benchmark.quick, stop);
          if (stop()) return;
          emit(row);
        } catch (const Error& error) {
          if (error.exit_status() != 2) throw;  // else: the algorithm has a limit that these data exceed
        }
      }
  }
}

}  // namespace

std::vector<BenchmarkExperiment> glimmer_experiments() {
  return {{"glimmer", "Glimmer layouts: seconds with the data on the device, and the normalized stress reached",
           [](const BenchmarkSetup& setup, const EmitRow& emit, const Stop& stop) {
             run_cases("glimmer", cases, methods, setup, emit, stop);
           }},
          {"layouts", "Glimmer and the methods it is compared with: seconds, and the normalized stress reached",
           [](const BenchmarkSetup& setup, const EmitRow& emit, const Stop& stop) {
             run_cases("layouts", compared_cases, compared_methods, setup, emit, stop);
           }}};
}

}  // namespace kinescope::sim
