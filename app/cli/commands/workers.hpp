// k-means with several processes, as run --workers and work ask for.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "app/cli/commands/commands.hpp"
#include "app/runs/children.hpp"
#include "sim/core/benchmark.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::app {

// Whether a run is to have workers. Throws an input error if this kind of run cannot.
bool wants_workers(const sim::SimulationKind& kind, const Options& options);

// The workers of a run, from before its data are read to its end: their folder, and the processes started here.
class Workers {
 public:
  Workers(const Options& options, const sim::SimulationKind& kind, const sim::DataRequest& request,
          sim::ParameterSet& parameters, std::uint64_t seed);
  ~Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;

  // Lets them compute for `simulation` once they are there; `tell` is called with sentences for people.
  void serve(sim::Simulation& simulation, std::function<void(const std::string&)> tell);

  // For experiments: kills one of them; starts another, and returns once it has read its data.
  void kill_one() { children_.kill_first(); }
  void start_another();

 private:
  void start_worker();

  const Options& options_;
  std::string folder_;
  bool served_ = false;
  Children children_;
  int started_ = 0;
};

// The experiment `k-means-distributed`.
sim::BenchmarkExperiment workers_experiment();

}  // namespace kinescope::app
