// The experiment `claims`: runs again what the documents state of the quality of results, and says how far the figures
// are from those stated.
#include <cmath>
#include <filesystem>
#include <fmt/core.h>
#include <sstream>

#include "app/cli/commands/claims.hpp"
#include "app/cli/commands/commands.hpp"
#include "app/runs/registry.hpp"
#include "sim/core/error.hpp"
#include "sim/data/load.hpp"
#include "sim/data/made.hpp"

namespace kinescope::app {

const std::vector<Claim>& claims() {
  static const std::vector<Claim> all = {
      {"glimmer", "iris.csv", "", "stress", "0.00107"},
      {"glimmer", "cancer.csv", "", "stress", "0.0167"},
      {"glimmer", "digits.csv", "", "stress", "0.1073"},
      {"glimmer", "mnist-t10k-images-idx3-ubyte.gz", "", "stress", "0.1269"},
      {"glimmer", "shuttle.csv", "normalize=minmax", "stress", "0.00438"},
      {"glimmer", "docs.svm.gz", "metric=cosine-squared", "stress", "0.1728"},
      {"glimmer", "bcspwr10.mtx", "metric=graph", "stress", "0.0271"},
      {"glimmer", "synthetic:topics,n=20000", "", "stress", "0.1442"},
      {"glimmer", "synthetic:swissroll,n=1089", "", "stress", "0.0423"},
      {"glimmer", "cancer.csv", "algorithm=pivot-mds", "stress", "0.0345"},
      {"glimmer", "cancer.csv", "algorithm=landmark", "stress", "0.0351"},
      {"glimmer", "cancer.csv", "algorithm=classic", "stress", "0.0462"},
      {"glimmer", "cancer.csv", "algorithm=smacof", "stress", "0.0171"},
      {"glimmer", "cancer.csv", "algorithm=nonmetric", "stress", "0.0290"},
      {"glimmer", "bcspwr10.mtx", "metric=graph algorithm=nonmetric", "stress", "0.0312"},
      {"fitzhugh-nagumo", "", "scheme=adaptive-paper end_time=30.13", "nodes_used", "122"},
      {"fitzhugh-nagumo", "", "scheme=adaptive-paper end_time=60.12", "nodes_used", "147"},
      {"fitzhugh-nagumo", "", "scheme=adaptive-paper end_time=90.11", "nodes_used", "169"},
  };
  return all;
}

namespace {

// Null if the file is not there.
std::shared_ptr<const sim::Dataset> data_of(const Claim& claim, const std::string& directory) {
  const std::string name = claim.data, settings = claim.settings;
  sim::DataRequest request{name};
  if (settings.find("metric=graph") != std::string::npos) request.reading = sim::Reading::graph;
  if (!sim::is_made(name)) {
    const std::filesystem::path path = std::filesystem::path(directory) / name;
    std::error_code error;
    if (directory.empty() || !std::filesystem::exists(path, error)) return nullptr;
    request.source = path.string();
  }
  return sim::load_dataset(request);
}

// The figure of three seeds that is farthest from the one stated.
sim::BenchmarkRow measured(const Claim& claim, const sim::Setup& given, const sim::Stop& stop) {
  const sim::SimulationKind& kind = choose_simulation(claim.simulation);
  const double stated = std::stod(claim.stated);
  sim::BenchmarkRow row = sim::row_of("claims", claim.simulation, claim.data, given);
  row.data += (row.data.empty() ? "" : " ") + std::string(claim.settings);
  row.figure = claim.figure;
  row.value = stated;
  for (sim::Setup setup = given; setup.seed <= 3 && !stop(); ++setup.seed) {
    const std::unique_ptr<sim::ParameterSet> parameters = kind.make_parameters();
    std::istringstream settings(claim.settings);
    for (std::string assignment; settings >> assignment;) parameters->set(assignment);
    const std::unique_ptr<sim::Simulation> simulation = kind.make(setup, *parameters);
    sim::run_to_end(*simulation, stop);
    const double value = sim::reported(*simulation, claim.figure);
    if (!(std::abs(value - stated) <= std::abs(row.value - stated))) row.value = value;
    row.iterations = simulation->progress().iteration;
  }
  row.note = fmt::format("{:.4g}, stated {}: {:+.1f} %", row.value, claim.stated, 100 * (row.value / stated - 1));
  return row;
}

void run_experiment(const sim::BenchmarkSetup& benchmark, const sim::EmitRow& emit, const sim::Stop& stop) {
  for (const Claim& claim : claims()) {
    std::shared_ptr<const sim::Dataset> data;
    if (*claim.data && !(data = data_of(claim, benchmark.data_directory))) continue;
    constexpr std::size_t few = 2'000;
    if (benchmark.quick && data && data->points > few) continue;
    sim::Setup setup;
    setup.data = data;
    setup.backend = benchmark.backends.back();
    setup.threads = benchmark.threads;
    setup.device = benchmark.device;
    setup.seed = 1;
    const sim::BenchmarkRow row = measured(claim, setup, stop);
    if (stop()) return;
    emit(row);
  }
}

}  // namespace

sim::BenchmarkExperiment claims_experiment() {
  return {"claims", "Figures of quality in the documents, and the farthest from them of three seeds here",
          run_experiment};
}

}  // namespace kinescope::app
