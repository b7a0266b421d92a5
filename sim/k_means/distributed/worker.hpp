// A worker of a group (group.hpp). It keeps nothing of the run's state: each pass brings all that it needs.
//
//   state       what it does                                                          next state
//   waiting     has its data, says so, and waits to be named in a generation          meeting
//   meeting     connects, and takes its rows                                          working; if its rows are not the
//                                                                                     run's, it is refused
//   working     receives centroids, returns the sums of its rows                      waiting, after a newer generation
//                                                                                     or a lost connection
//
// It ends when the run is over, when it is refused, or when the coordinator is silent for too long.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "kinescope/simulation.hpp"
#include "sim/data/readers/arrays/npy_rows.hpp"
#include "sim/k_means/distributed/store.hpp"

namespace kinescope::sim::k_means {

struct WorkerSetup {
  Setup processor;             // without data; workers take a machine's GPUs in turn
  std::int64_t megabytes = 0;  // as in RowSumsSetup
  std::shared_ptr<const NpyRows>
      file;  // it reads only the rows it is dealt from this, if the shape is that of the data
  std::function<std::shared_ptr<const Dataset>()> load;  // else: reads all data, in the units of the distances
};

class Worker {
 public:
  // Joins the group, and gives signs of life from now on. `listen` is this machine's address for other machines; "" if
  // all processes are here. Throws Error (input) if there is no group in the store.
  Worker(const std::string& store, const std::string& listen, const OpenStore& open = open_store);
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
