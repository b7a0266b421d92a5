// The coordinator's side of a group (group.hpp): rank 0. On a GPU it takes a part of the rows itself, as a worker
// would: two processes on one GPU have to take turns, which costs a tenth of a millisecond each time. On the CPU it has
// none.
//
//   forming     names the living workers as the next generation, waits until these are free, connects to them, says
//               what the data are; each deals itself its rows and says how many      all rows are dealt: working
//                                                                                    no worker is left: alone
//   working     for each pass: centroids to all, sums from all          a worker is lost or has come: forming, and the
//                                                                       pass is repeated from the same centroids
//   alone       the run computes by itself                            a worker has come: forming
//
// A thread watches meanwhile. A worker is lost once its process has ended (on this machine), or once it has given no
// sign of life for the timeout; however long it computes, it gives signs of life. A lost worker that gives signs of
// life again, and one that was started later, is taken with the next pass; one that has other data is refused.
//
// If it keeps moments, the run can go on from the last one when the coordinator itself is lost: a note, written whole
// or not at all, with a checksum of the data and of itself.
//
// If a pass says so, the rows of a worker that is lost are left out, and the others keep theirs; all rows are dealt
// again once a worker comes, or once nobody who is left has any.
//
// What is promised: whatever is lost or comes, the sums that sum() writes are those of all points that are not left
// out, each counted once; and sum() returns: nothing is waited for but signs of life.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/k_means/distributed/crew.hpp"

namespace kinescope::sim::k_means {

struct CoordinatorSetup {
  std::string store;                                 // exists; nobody else coordinates there
  std::string listen;                                // this machine's address for workers on others; "": there are none
  bool computes = false;                             // takes a part of the rows itself, on `processor`
  Setup processor;                                   // without data
  std::int64_t megabytes = 0;                        // as in RowSumsSetup
  int workers = 0;                                   // that were started here: waited for before the first pass
  double timeout = 1;                                // seconds
  bool keeps = false;                                // moments of the run, in the store
  bool resumes = false;                              // from the moment that is there
  std::function<std::vector<std::int64_t>()> ended;  // processes started here that have ended since the last call
  std::function<void(const std::string&)> tell;      // a sentence for people; called by begin() and sum()
  std::function<bool()> stopped;                     // the run is to stop: workers are waited for no longer
};

// Throws Lost.
std::shared_ptr<Crew> make_coordinator(CoordinatorSetup setup);

}  // namespace kinescope::sim::k_means
