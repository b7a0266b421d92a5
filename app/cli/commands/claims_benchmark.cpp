// The experiment `claims`: runs again what the documents state of the quality of results, and says how far the figures
// are from those stated.
#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fmt/core.h>
#include <map>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include "app/cli/commands/claims.hpp"
#include "app/cli/commands/commands.hpp"
#include "app/runs/registry.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/data/made.hpp"
#include "kinescope/error.hpp"

namespace kinescope::app {
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

// How many points of each class are in each cluster, and who has most of whom. Ties: the first.
double agreement_of(const sim::Dataset& data, const sim::Table& result) {
  const sim::Column* clusters = result.find("cluster");
  if (!clusters || data.labels.size() != result.rows) return std::nan("");
  using Pair = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Pair, std::size_t> together;
  for (std::size_t i = 0; i < result.rows; ++i)
    ++together[{data.labels[i], static_cast<std::uint32_t>(clusters->numbers[i])}];
  std::map<std::uint32_t, Pair> of_class, of_cluster;
  const auto keep_larger = [&](std::map<std::uint32_t, Pair>& kept, std::uint32_t key, const Pair& pair) {
    const auto [at, is_new] = kept.try_emplace(key, pair);
    if (!is_new && together[pair] > together[at->second]) at->second = pair;
  };
  for (const auto& [pair, count] : together) {
    keep_larger(of_class, pair.first, pair);
    keep_larger(of_cluster, pair.second, pair);
  }
  std::size_t agreed = 0;
  for (const auto& [label, pair] : of_class)
    if (of_cluster[pair.second] == pair) agreed += together[pair];
  return static_cast<double>(agreed) / static_cast<double>(result.rows);
}

double claimed_figure(const Claim& claim, const sim::Dataset* data, sim::Simulation& simulation) {
  if (std::string(claim.figure) != agreement) return bench::reported(simulation, claim.figure);
  return agreement_of(*data, simulation.result());
}

std::string note_of(const bench::BenchmarkRow& row, const char* stated) {
  return fmt::format("{} {:.6g}, stated {}: {:+.1f} %", row.figure, row.value, stated,
                     100 * (row.value / std::stod(stated) - 1));
}

using Claims = std::span<const Claim>;  // of one run

bool same_run(const Claim& a, const Claim& b) {
  const auto key = [](const Claim& claim) {
    return std::array<std::string_view, 3>{claim.simulation, claim.data, claim.settings};
  };
  return key(a) == key(b);
}

// For each claim a row with the figure of three seeds that is farthest from the one stated.
std::vector<bench::BenchmarkRow> measured(Claims same, const sim::Setup& given, const bench::Stop& stop) {
  const Claim& run = same.front();
  const sim::SimulationKind& kind = choose_simulation(run.simulation);
  std::vector<bench::BenchmarkRow> rows(same.size(), bench::row_of("claims", run.simulation, run.data, given));
  for (sim::Setup setup = given; setup.seed <= 3; ++setup.seed) {
    const std::unique_ptr<sim::ParameterSet> parameters = kind.make_parameters();
    std::istringstream settings(run.settings);
    for (std::string assignment; settings >> assignment;) parameters->set(assignment);
    const std::unique_ptr<sim::Simulation> simulation = kind.make(setup, *parameters);
    bench::run_to_end(*simulation, stop);
    if (stop()) break;
    for (std::size_t i = 0; i < same.size(); ++i) {
      const double stated = std::stod(same[i].stated);
      const double value = claimed_figure(same[i], given.data.get(), *simulation);
      const bool is_first = setup.seed == given.seed;
      if (is_first || !(std::abs(value - stated) <= std::abs(rows[i].value - stated))) rows[i].value = value;
      rows[i].iterations = simulation->progress().iteration;
    }
  }
  for (std::size_t i = 0; i < same.size(); ++i) {
    rows[i].data += (rows[i].data.empty() ? "" : " ") + std::string(same[i].settings);
    rows[i].figure = same[i].figure;
    rows[i].note = note_of(rows[i], same[i].stated);
  }
  return rows;
}

void run_claims(const bench::BenchmarkSetup& benchmark, const bench::EmitRow& emit, const bench::Stop& stop) {
  Claims left = claims();
  while (!left.empty()) {
    const Claim& claim = left.front();
    const auto other = std::ranges::find_if(left, [&](const Claim& each) { return !same_run(each, claim); });
    const Claims same(left.begin(), other);
    left = left.subspan(same.size());
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
    const std::vector<bench::BenchmarkRow> rows = measured(same, setup, stop);
    if (stop()) return;
    for (const bench::BenchmarkRow& row : rows) emit(row);
  }
}

// Runs each experiment once, whole even if `quick`: its other rows are the figures it is fitted to.
void run_experiment_claims(bench::BenchmarkSetup benchmark, const bench::EmitRow& emit, const bench::Stop& stop) {
  benchmark.quick = false;
  std::map<std::string, std::vector<bench::BenchmarkRow>> rows;
  for (const ExperimentClaim& claim : experiment_claims()) {
    for (const bench::BenchmarkExperiment& experiment : bench::experiments_of(choose_simulation(claim.simulation).name))
      if (experiment.name == claim.experiment && !rows.contains(experiment.name))
        experiment.run(
            benchmark, [&](const auto& row) { rows[experiment.name].push_back(row); }, stop);
    if (stop()) return;
    for (bench::BenchmarkRow row : rows[claim.experiment])
      if (row.method == claim.method && row.data == claim.data) {
        row.experiment = "claims";
        row.method = claim.simulation;
        row.data = fmt::format("{}: {}, {}", claim.experiment, claim.method, claim.data);
        row.note = note_of(row, claim.stated);
        emit(row);
      }
  }
}

}  // namespace

bench::BenchmarkExperiment claims_experiment() {
  return {"claims", "Figures of quality in the documents, and the farthest from them of three seeds here",
          [](const auto& benchmark, const auto& emit, const auto& stop) {
            run_claims(benchmark, emit, stop);
            run_experiment_claims(benchmark, emit, stop);
          }};
}

}  // namespace kinescope::app
