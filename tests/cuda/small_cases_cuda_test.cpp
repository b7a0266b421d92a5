// Every simulation with every method on a CUDA device, small: its launches are those of the CPU by name, what it gives
// is finite, and a sanitizer can follow all of it in minutes (test.sh --device --sanitize).
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <sstream>

#include "app/registry.hpp"
#include "sim/core/devices.hpp"
#include "sim/core/trace.hpp"
#include "sim/data/load.hpp"
#include "tests/cuda/device_buffers.hpp"
#include "tests/sim/host_buffers.hpp"

namespace kinescope::sim {
namespace {

constexpr long until_done = 1'000'000;

struct Case {
  const char* kind;
  const char* data;      // "": none
  const char* settings;  // "a=b c=d"
  long iterations = 10;
};

// Made data have no columns that a cosine cannot stand, and k-means' matrix needs many columns and clusters.
const Case cases[] = {
    {"glimmer", "synthetic:colours,n=300", ""},
    {"glimmer", "synthetic:swissroll,n=200", "output_dimensions=3"},
    {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "metric=cosine"},
    {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "metric=manhattan"},
    {"glimmer", "synthetic:gaussians,n=3000,k=6,clusters=4", "landmarks=256", until_done},
    {"glimmer", "synthetic:gaussians,n=3000,k=6,clusters=4", "landmarks=256 output_dimensions=3", until_done},
    {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "algorithm=glimmer-2007"},
    {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "algorithm=stochastic-force output_dimensions=3"},
    {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=naive bandwidth=1.5"},
    {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=tiled bandwidth=1.5"},
    {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=grid bandwidth=1.5"},
    {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=field bandwidth=1.5 error_bound=1e-3", 4},
    {"mean-shift", "synthetic:gaussians,n=300,k=1,clusters=3", "method=field bandwidth=1.5 error_bound=1e-3", 4},
    {"mean-shift", "synthetic:gaussians,n=300,k=5,clusters=3", "method=tiled bandwidth=2"},
    {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=tiled kernel=epanechnikov bandwidth=1.5"},
    {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=grid kernel=flat bandwidth=1.5"},
    {"k-means", "synthetic:gaussians,n=500,k=2,clusters=3", "clusters=3"},
    {"k-means", "synthetic:gaussians,n=500,k=3,clusters=3", "clusters=40 start=random"},
    {"k-means", "synthetic:gaussians,n=600,k=32,clusters=8", "clusters=200", 4},
    {"k-means", "synthetic:gaussians,n=600,k=160,clusters=8", "clusters=150", 3},
    {"k-means", "synthetic:gaussians,n=300,k=2,clusters=3", "sweep=1:4", 40},
    {"fitzhugh-nagumo", "", "nodes=201 end_time=2"},
    {"fitzhugh-nagumo", "", "nodes=201 end_time=2 precision=double"},
    {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=adaptive"},
    {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=implicit solver=halo", 3},
    {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=implicit solver=thomas", 3},
    {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=implicit solver=cyclic-reduction", 3},
    {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=implicit solver=parallel-cyclic-reduction", 3},
    {"fitzhugh-nagumo", "", "dimensions=2 nodes=96 end_time=2", 10},
    {"fitzhugh-nagumo", "", "dimensions=2 nodes=96 end_time=2 boundary=periodic", 10},
    {"landscape", "", "terrain_size=5 smoke_grid=24 trees=50 butterflies=5 duration=1", 5},
    {"landscape", "", "terrain_size=6 smoke_grid=16 trees=10 butterflies=1 duration=1 shape=alps", 3},
};

class SmallCasesCuda : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    std::string why;
    if (cuda_devices(&why).empty()) GTEST_SKIP() << "no CUDA device: " << why;
  }

  static std::unique_ptr<Simulation> make(Backend backend, const std::shared_ptr<Trace>& trace) {
    const SimulationKind& kind = *app::find_simulation(GetParam().kind);
    const auto parameters = kind.make_parameters();
    std::istringstream words(GetParam().settings);
    for (std::string word; words >> word;) parameters->set(word);
    sim::Setup setup{.backend = backend, .threads = 2};
    if (*GetParam().data) setup.data = load_dataset({GetParam().data});
    setup.trace = trace;
    return kind.make(setup, *parameters);
  }

  template <class Buffers>
  static std::unique_ptr<Simulation> run(Backend backend, Buffers& buffers, const std::shared_ptr<Trace>& trace) {
    auto simulation = make(backend, trace);
    simulation->attach(buffers);
    simulation->publish();
    simulation->advance({std::numeric_limits<double>::infinity(), GetParam().iterations});
    simulation->publish();
    simulation->finish();
    return simulation;
  }

  static std::set<std::string> labels(Trace& trace) {
    std::set<std::string> found;
    for (const Trace::Span& span : trace.take()) found.insert(span.label);
    return found;
  }
};

void expect_finite(Simulation& simulation) {
  const Table table = simulation.result();
  EXPECT_GT(table.rows, 0u);
  for (const Column& column : table.columns)
    for (const float number : column.numbers) ASSERT_TRUE(std::isfinite(number)) << column.name;
}

TEST_P(SmallCasesCuda, RunsAndPublishes) {
  test_buffers::DeviceBuffers buffers;
  const auto simulation = run(Backend::cuda, buffers, nullptr);
  EXPECT_GT(simulation->progress().iteration, 0);
  expect_finite(*simulation);
}

// A phase that the CPU's trace names, the device's names too; what only one of them does is its own.
TEST_P(SmallCasesCuda, NamesThePhasesOfTheCpu) {
  const auto cpu = std::make_shared<Trace>(), cuda = std::make_shared<Trace>();
  cpu->enable(true);
  cuda->enable(true);
  test_buffers::HostBuffers host;
  test_buffers::DeviceBuffers device;
  run(Backend::cpu, host, cpu);
  run(Backend::cuda, device, cuda);
  const std::set<std::string> of_the_cpu = {
      "panels",     "totals",     // k-means: the data laid out, on the host for both
      "combine",    "label",      // k-means: sums of threads; labels, which a device finds while it assigns
      "densities",  "add grids",  // mean shift: grids of threads
      "rank",       "full stress", "rows",
      "directions",  // Glimmer: a device ranks with the stress, and finds directions in the round
      "implicit",   "explicit",    "turn"};  // the waves: one launch of the whole run
  const std::set<std::string> known = labels(*cuda);
  for (const std::string& label : labels(*cpu))
    EXPECT_TRUE(of_the_cpu.contains(label) || known.contains(label)) << label;
}

INSTANTIATE_TEST_SUITE_P(Every, SmallCasesCuda, testing::ValuesIn(cases), [](const auto& tested) {
  std::string name = std::string(tested.param.kind) + "_" + std::to_string(tested.index);
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace kinescope::sim
