// A simulation of given data and parameters, for tests.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/simulation.hpp"

namespace kinescope::sim {

template <class Parameters, const SimulationKind& (*kind)()>
struct TrialOf {
  std::shared_ptr<const Dataset> data;
  Parameters parameters;
  Setup setup;

  explicit TrialOf(std::shared_ptr<const Dataset> input, const std::vector<std::string>& assignments = {})
      : data(std::move(input)) {
    for (const std::string& assignment : assignments) parameters.set(assignment);
    setup.data = data;
    setup.threads = 2;
  }
  TrialOf& on(Backend backend) {
    setup.backend = backend;
    return *this;
  }

  std::unique_ptr<Simulation> make() { return kind().make(setup, parameters); }
  std::unique_ptr<Simulation> finished() {
    std::unique_ptr<Simulation> simulation = make();
    while (simulation->advance({})) {
    }
    simulation->finish();
    return simulation;
  }
};

}  // namespace kinescope::sim
