// A worker of a group (group.hpp). It keeps nothing of the run: each pass brings all that it needs.
//
//   waiting     has its data, says so, and waits to be named in a generation       named: meeting
//   meeting     connects, deals itself its rows                                    working; other rows: refused
//   working     receives centroids, returns the sums of its rows                   a newer generation, a lost
//                                                                                  connection: waiting
//
// It ends when the run is over, when it is refused, or when the coordinator is silent for too long.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "sim/core/simulation.hpp"
#include "sim/data/readers/arrays/npy_rows.hpp"

namespace kinescope::sim::k_means {

struct WorkerSetup {
  Setup processor;                      // without data; of a machine's GPUs each worker takes the next
  std::int64_t megabytes = 0;           // as in RowSumsSetup
  std::shared_ptr<const NpyRows> file;  // of which it reads the rows that it is dealt, if it is as long as the data
  std::function<std::shared_ptr<const Dataset>()> load;  // else: reads all, in the units of the distances
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
