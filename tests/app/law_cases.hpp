// Small runs of every simulation with every method, for tests of what holds for all of them (laws_test.cpp,
// laws_cuda_test.cpp, and the sanitizers of test.sh --device).
#pragma once

#include <algorithm>
#include <memory>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

#include "app/runs/registry.hpp"
#include "kinescope/data/load.hpp"

namespace kinescope::sim::laws {

struct Case {
  const SimulationKind* kind;
  std::string data;      // "": none
  std::string settings;  // "a=b c=d"
  long iterations = 10;
  double parity = 1e-4;  // how far a device's numbers may be from the CPU's, relative to the largest in their column
};

inline constexpr long until_done = 1'000'000;

// A budget's iterations count launches. On a device the start of k-means has launches of its own, so k-means is
// compared at its end. Made data have no columns that a cosine distance cannot use. The matrix kernels of k-means
// (k_means_cuda.cuh) are used only with many columns and clusters. A simulation without a row here is run with its
// defaults.
inline std::vector<Case> cases() {
  struct Row {
    const char* kind;
    const char* data;
    const char* settings;
    long iterations = 10;
    double parity = 1e-4;
  };
  static constexpr Row rows[] = {
      {"glimmer", "synthetic:colours,n=300", ""},
      {"glimmer", "synthetic:swissroll,n=200", "output_dimensions=3"},
      {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "metric=cosine"},
      {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "metric=manhattan"},
      {"glimmer", "synthetic:gaussians,n=3000,k=6,clusters=4", "landmarks=256", until_done, 0.05},
      {"glimmer", "synthetic:gaussians,n=3000,k=6,clusters=4", "landmarks=256 output_dimensions=3", until_done, 0.05},
      {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "algorithm=glimmer-2007"},
      {"glimmer", "synthetic:documents,n=300,h=900", "metric=cosine-squared"},
      {"glimmer", "synthetic:documents,n=300,h=900", "algorithm=glimmer-2007"},
      {"glimmer", "synthetic:small-world,n=300", "metric=graph"},
      {"glimmer", "synthetic:tree,n=300", "metric=graph algorithm=glimmer-2007"},
      {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "algorithm=stochastic-force output_dimensions=3"},
      {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "algorithm=hybrid", until_done, 0.02},
      {"glimmer", "synthetic:tree,n=300", "metric=graph algorithm=hybrid output_dimensions=3", until_done, 0.05},
      {"glimmer", "synthetic:gaussians,n=300,k=6,clusters=4", "start=pivot"},
      {"glimmer", "synthetic:gaussians,n=5500,k=6,clusters=4", "start=pivot", until_done, 0.05},
      {"glimmer", "synthetic:tree,n=5500", "metric=graph start=pivot", 10, 1e-3},
      {"glimmer", "synthetic:gaussians,n=200,k=6,clusters=4", "algorithm=pivot-mds"},
      {"glimmer", "synthetic:gaussians,n=200,k=6,clusters=4", "algorithm=landmark"},
      {"glimmer", "synthetic:gaussians,n=200,k=6,clusters=4", "algorithm=classic"},
      {"glimmer", "synthetic:gaussians,n=200,k=6,clusters=4", "algorithm=smacof"},
      {"glimmer", "synthetic:gaussians,n=200,k=6,clusters=4", "algorithm=nonmetric"},
      {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=naive bandwidth=1.5"},
      {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=tiled bandwidth=1.5"},
      {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=grid bandwidth=1.5"},
      {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=field bandwidth=1.5 error_bound=1e-3", 4},
      {"mean-shift", "synthetic:gaussians,n=300,k=1,clusters=3", "method=field bandwidth=1.5 error_bound=1e-3", 4},
      {"mean-shift", "synthetic:gaussians,n=300,k=5,clusters=3", "method=tiled bandwidth=2"},
      {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=tiled kernel=epanechnikov bandwidth=1.5"},
      {"mean-shift", "synthetic:gaussians,n=300,k=2,clusters=3", "method=grid kernel=flat bandwidth=1.5"},
      {"k-means", "synthetic:gaussians,n=500,k=2,clusters=3", "clusters=3", until_done, 0},
      {"k-means", "synthetic:gaussians,n=500,k=3,clusters=3", "clusters=40 start=random", until_done, 0},
      {"k-means", "synthetic:gaussians,n=600,k=32,clusters=8", "clusters=200", until_done, 0},
      {"k-means", "synthetic:gaussians,n=600,k=160,clusters=8", "clusters=150", until_done, 0},
      {"k-means", "synthetic:gaussians,n=300,k=2,clusters=3", "clusters=5 restarts=3", until_done, 0},
      {"k-means", "synthetic:gaussians,n=300,k=2,clusters=3", "sweep=1:4", until_done, 0},
      {"k-means", "synthetic:gaussians,n=1300,k=3,clusters=3", "model=mixture clusters=3", until_done},
      {"k-means", "synthetic:gaussians,n=700,k=5,clusters=3", "model=mixture covariance=diagonal clusters=4",
       until_done},
      {"fitzhugh-nagumo", "", "nodes=201 end_time=2"},
      {"fitzhugh-nagumo", "", "nodes=201 end_time=2 precision=double"},
      {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=adaptive"},
      {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=adaptive-paper"},
      {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=implicit solver=halo", 3},
      {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=implicit solver=thomas", 3},
      {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=implicit solver=cyclic-reduction", 3},
      {"fitzhugh-nagumo", "", "nodes=201 end_time=2 scheme=implicit solver=parallel-cyclic-reduction", 3},
      {"fitzhugh-nagumo", "", "nodes=901 end_time=2 scheme=implicit solver=partition", 3},
      {"fitzhugh-nagumo", "", "dimensions=2 nodes=96 end_time=2"},
      {"fitzhugh-nagumo", "", "dimensions=2 nodes=96 end_time=2 boundary=periodic"},
      {"landscape", "", "terrain_size=5 smoke_grid=24 trees=50 butterflies=5 duration=1", 5},
      {"landscape", "", "terrain_size=6 smoke_grid=16 trees=10 butterflies=1 duration=1 shape=alps", 3},
      {"gray-scott", "", "nodes=64 steps=100"},  // from docs/examples; after so few steps v has not died out
  };
  std::vector<Case> cases;
  for (const SimulationKind* kind : app::simulation_kinds()) {
    const std::size_t before = cases.size();
    for (const Row& row : rows)
      if (kind->name == row.kind) cases.push_back({kind, row.data, row.settings, row.iterations, row.parity});
    if (cases.size() == before)
      cases.push_back({kind, kind->default_data.empty() ? "" : "synthetic:gaussians,n=300,k=3,clusters=3", ""});
  }
  return cases;
}

inline std::unique_ptr<ParameterSet> parameters_of(const Case& tested) {
  auto parameters = tested.kind->make_parameters();
  std::istringstream words(tested.settings);
  for (std::string word; words >> word;) parameters->set(word);
  return parameters;
}

inline std::unique_ptr<Simulation> make(const Case& tested, ParameterSet& parameters, Setup setup) {
  if (!tested.data.empty()) setup.data = load_dataset({tested.data});
  return tested.kind->make(setup, parameters);
}
inline std::unique_ptr<Simulation> make(const Case& tested, const Setup& setup) {
  return make(tested, *parameters_of(tested), setup);
}

// The names of the tests.
template <class Info>
std::string name_of(const Info& info) {
  std::string name = info.param.kind->name + "_" + std::to_string(info.index);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
inline void PrintTo(const Case& tested, std::ostream* out) {
  *out << tested.kind->name << ' ' << tested.data << ' ' << tested.settings;
}

}  // namespace kinescope::sim::laws
