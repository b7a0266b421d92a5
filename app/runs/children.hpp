// Child processes of this one, which end with it.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

namespace kinescope::app {

class Children {
 public:
  // Waits up to a second for them to end by themselves, then kills those that are left.
  ~Children();

  // Starts this program with other arguments; what it writes to stdout is dropped. Throws sim::Error (run).
  void start_program(const std::vector<std::string>& arguments);
  // The processes that have ended since the last call.
  std::vector<std::int64_t> ended();
  // Kills the one that has run longest.
  void kill_first();
  void kill_all();

 private:
  std::mutex mutex_;  // guards running_: ended() is called by a thread that watches
  std::vector<std::int64_t> running_;
};

}  // namespace kinescope::app
