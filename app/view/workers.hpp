// k-means with several processes: for the options --workers and --group, and for the command `work`.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/io/output.hpp"
#include "app/runs/children.hpp"
#include "kinescope/data/load.hpp"
#include "kinescope/simulation.hpp"
#include "sim/k_means/distributed/store.hpp"

namespace kinescope::app {

struct WorkersSetup {
  int count = 0;        // processes started here
  std::string group;    // the store in which workers find each other; "": a temporary folder
  std::string listen;   // this machine's address for workers on other machines; "": there are none
  double timeout = 1;   // seconds after which a silent worker counts as lost
  bool resume = false;  // go on with the lost run of this group
  int threads = 0;      // CPU threads of all processes here together; 0: all of the machine
};

// Whether a run is to have workers. Throws an input error if this kind of simulation cannot have any, or if the options
// contradict each other.
bool wants_workers(const sim::SimulationKind& kind, const WorkersSetup& setup);
// Throws an input error if only one process can read these data.
void check_read_by_all(const sim::DataRequest& data);

// Throws an input error if one of these files is in the folder of the group's notes, which goes with them.
void check_outside(const WorkersSetup& setup, const std::vector<NamedFile>& files);

// Where the workers of a run meet (sim/k_means/distributed/store.hpp).
struct WorkersGroup {
  std::string address, secret;
  std::unique_ptr<sim::k_means::Store> store;
};

// The workers of a run: their group, and the processes that were started here. It is made before the run's simulation,
// and lives to the end of the run.
class Workers {
 public:
  Workers(const WorkersSetup& setup, const sim::SimulationKind& kind, const sim::DataRequest& request,
          sim::ParameterSet& parameters, std::uint64_t seed);
  ~Workers();

  // Starts the workers and lets them compute for `simulation`, on its backend. `tell` is called with sentences for
  // people. Once `stopped` returns true, workers are no longer waited for.
  void serve(sim::Simulation& simulation, const std::function<void(const std::string&)>& tell,
             std::function<bool()> stopped);

  // For experiments: kill_one() kills a worker; start_another() starts one, and returns once it has read its data.
  void kill_one() { children_.kill_first(); }
  void start_another();

 private:
  void start_worker();
  // For an abrupt end of the program, from any thread: ends the processes that were started here, and removes the group
  // unless the run can be resumed.
  void abandon(bool is_second) noexcept;

  const WorkersSetup setup_;
  WorkersGroup group_;
  std::atomic<bool> has_group_ = false;
  sim::Backend backend_ = sim::Backend::cpu;
  std::int64_t megabytes_ = 0;  // the most that the points may take on the device; 0: no limit
  std::function<bool()> stopped_;
  bool served_ = false;
  Children children_;
  int started_ = 0;
  std::shared_ptr<void> abrupt_end_;  // the last member: it uses the others
};

// Makes the workers for a run in the window; null for a kind of simulation that has none.
std::shared_ptr<void> make_workers(const WorkersSetup& setup, const sim::SimulationKind& kind,
                                   const sim::DataRequest& request, sim::ParameterSet& parameters, std::uint64_t seed,
                                   sim::Simulation& simulation, const std::atomic<bool>& cancelled);

// The command `work`: computes for the run of a group until that run is over. `source`: this machine's copy of the
// data; "": the source that the run names.
void work(const WorkersSetup& setup, const std::string& source, sim::Backend backend);

}  // namespace kinescope::app
