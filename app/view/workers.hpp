// k-means with several processes, as run --workers, work and the window ask for.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "app/runs/children.hpp"
#include "sim/core/simulation.hpp"
#include "sim/data/load.hpp"

namespace kinescope::app {

struct WorkersSetup {
  int count = 0;        // processes started here
  std::string group;    // the store in which workers find each other; "": a temporary folder
  std::string listen;   // this machine's address for workers on others; "": there are none
  double timeout = 1;   // seconds for which a silent worker is waited for
  bool resume = false;  // a run that was lost
  int threads = 0;      // of all processes here together; 0: all
};

// Whether a run is to have workers. Throws an input error if this kind of run cannot.
bool wants_workers(const sim::SimulationKind& kind, const WorkersSetup& setup);

// The workers of a run, from before it is made to its end: their group, and the processes started here.
class Workers {
 public:
  Workers(const WorkersSetup& setup, const sim::SimulationKind& kind, const sim::DataRequest& request,
          sim::ParameterSet& parameters, std::uint64_t seed);
  ~Workers();

  // Lets them compute for `simulation`, on its backend, once they are there; `tell` is called with sentences for
  // people, and they are waited for until `stopped` says so.
  void serve(sim::Simulation& simulation, std::function<void(const std::string&)> tell, std::function<bool()> stopped);

  // For experiments: kills one of them; starts another, and returns once it has read its data.
  void kill_one() { children_.kill_first(); }
  void start_another();

 private:
  void start_worker();

  const WorkersSetup setup_;
  std::string store_;
  sim::Backend backend_ = sim::Backend::cpu;
  std::int64_t megabytes_ = 0;  // on the device
  std::function<bool()> stopped_;
  bool served_ = false;
  Children children_;
  int started_ = 0;
};

// Workers for a run of the window; null for a kind that has none.
std::shared_ptr<void> staff_of(const WorkersSetup& setup, const sim::SimulationKind& kind,
                               const sim::DataRequest& request, sim::ParameterSet& parameters, std::uint64_t seed,
                               sim::Simulation& simulation, const std::atomic<bool>& cancelled);

// Computes for the run of a group until it is over: kinescope work.
struct WorkSetup {
  std::string group, listen;
  std::string source;  // this machine's copy of the data; "": what the run names
  sim::Setup processor;
};
void work(const WorkSetup& setup);

}  // namespace kinescope::app
