// The coordinator's side of a group (group.hpp): rank 0. On a GPU it processes a part of the rows itself, instead of a
// worker on the same GPU: two processes on one GPU have to take turns, which costs a tenth of a millisecond each time.
// On the CPU it processes no rows.
//
//   state       what it does                                                          next state
//   forming     writes a note that names the living workers as the next               working once all rows are dealt;
//               generation, waits until they are free, connects, and describes        alone if there is no worker, or
//               the data; each worker takes its rows and answers how many             if notes or meetings fail
//   working     for each pass: sends the centroids to all, and gets their sums        forming once a worker is lost or
//                                                                                     has come; the pass is then
//                                                                                     repeated from the same centroids
//   alone       the run computes by itself                                            forming once a worker has come
//
// Meanwhile a thread watches the workers. A worker is lost once its process has ended (on this machine), or once it has
// given no sign of life for the timeout; it gives signs of life however long it computes. A lost worker that gives
// signs of life again, or a worker that was started later, takes part from the next pass on. A worker that has other
// data is refused.
//
// If the coordinator keeps moments (snapshots of the run), the run can go on from the last one after the coordinator
// itself was lost. A moment is a note, written whole or not at all, with checksums of the data and of itself.
//
// If a pass has `drops` set, the rows of a lost worker are left out, and the others keep theirs. All rows are dealt
// again once a worker comes, or once no remaining worker has any rows.
//
// Guarantees, whatever is lost or comes: the sums that sum() returns are those of all points that are not left out,
// each counted once; and sum() returns, because it waits only for workers that give signs of life.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/distributed/store.hpp"

namespace kinescope::sim::k_means {

struct CoordinatorSetup {
  std::string store;   // address of a store that exists and has no other coordinator
  std::string secret;  // what the note `secret` says if the store has the notes of this run; "": it is not asked
  OpenStore open = open_store;
  std::string listen;          // this machine's address for workers on other machines; "": there are none
  bool computes = false;       // processes a part of the rows itself, on `processor`
  Setup processor;             // without data
  std::int64_t megabytes = 0;  // as in RowSumsSetup
  int workers = 0;             // workers started here; begin() waits for them
  double timeout = 1;          // seconds
  bool keeps = false;          // keeps moments of the run in the store
  bool resumes = false;        // goes on from the moment in the store
  std::function<std::vector<std::int64_t>()> ended;  // processes started here that have ended since the last call
  std::function<void(const std::string&)> tell;      // reports a sentence to the user; called by begin() and sum()
  std::function<bool()> stopped;                     // true once the run is to stop: begin() waits no longer
};

// Throws StoreLost, also if the notes in the store are not those of this run.
std::shared_ptr<Group> make_coordinator(CoordinatorSetup setup);

}  // namespace kinescope::sim::k_means
