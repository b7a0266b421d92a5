// A worker of a group (group.hpp). It keeps nothing of the run: each pass brings all that it needs.
//
//   waiting     reads its data, says so, and waits to be named in a generation     named: meeting
//   meeting     connects, deals itself its rows                                    working
//   working     receives centroids, returns the sums of its rows                   a newer generation, a lost
//                                                                                  connection: waiting
//
// It ends when the run is over, when it is refused, or when the coordinator is silent for too long.
#pragma once

#include <memory>
#include <string>

#include "sim/core/simulation.hpp"

namespace kinescope::sim::k_means {

struct WorkerSetup {
  Setup processor;             // its data in the units of the distances; of a machine's GPUs each worker takes the next
  std::int64_t megabytes = 0;  // as in RowSumsSetup
};

class Worker {
 public:
  // Joins the group; gives signs of life from now on. `listen`: this machine's address for others, "" if all members
  // are here. Throws Error (input) if there is no group in the store.
  Worker(const std::string& store, const std::string& listen);
  ~Worker();
  // The text of the run's session. Throws Error.
  std::string run();
  // Works until the run is over. Throws Error.
  void work(const WorkerSetup& setup);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinescope::sim::k_means
