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

#include "sim/core/dataset.hpp"

namespace kinescope::sim::k_means {

class Worker {
 public:
  // Joins the group; gives signs of life from now on. Throws Error (input) if there is no group in the folder.
  explicit Worker(const std::string& folder);
  ~Worker();
  // Works until the run is over. `data` in the units of the distances. Throws Error.
  void work(std::shared_ptr<const Dataset> data, int threads);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kinescope::sim::k_means
