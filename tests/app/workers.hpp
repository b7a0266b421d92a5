// k-means runs of several processes, and what tests do to their processes.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

#include "tests/app/program.hpp"

namespace kinescope::tests {

inline constexpr double watchdog = 30;  // seconds

// Long enough to be disturbed in the middle: half a second on two cores.
inline constexpr int iterations = 600;
inline constexpr int rows = 10000;
extern const std::vector<std::string> long_run;

// Members connect through the network, as with workers on other machines; without gloo there is none.
extern const std::vector<std::string> by_network;
bool has_network();

// What a run has written.
struct Files {
  std::string labels, centroids;
  nlohmann::json report;
  std::string errors;  // what it said meanwhile
};
// Runs to the end in `folder`; empty, and a failure, if the program fails.
Files run(const Folder& folder, std::vector<std::string> arguments, const std::vector<std::string>& more = {});
const Files& alone(int count = iterations);  // of long_run by one process, with so many iterations
void expect_same(const Files& files, const Files& expected);

// The processes of the group in `folder`: its workers, and the run itself (0 before it says anything).
std::vector<pid_t> workers_of(const Folder& folder);
pid_t coordinator_of(const Folder& folder);

// The first numbers of what a process says of itself in the group's folder; zeros before it says anything.
struct Said {
  std::int64_t beats = 0, process = 0, iteration = 0;
  std::int32_t checksum = 0, ready = 0;
};
Said said_by(const Folder& folder, const std::string& who);

// Fails if it does not come within seconds.
void await(const char* what, const std::function<bool()>& is_there);
bool await_iteration(const Folder& folder, std::int64_t iteration);  // false: the run is over

// The run of `folder` stands still meanwhile.
class Halt {
 public:
  explicit Halt(const Folder& folder);
  ~Halt();
  Halt(const Halt&) = delete;
  Halt& operator=(const Halt&) = delete;

 private:
  pid_t process_;
};

// Runs long_run with four workers, which `disturb` is told while the run stands still, and `then` once it goes on.
// `disturb` makes it lose a worker; where the run is too quick for that, it is made again with four times as many
// iterations.
Files disturbed_run(const Folder& folder, const std::function<void(const std::vector<pid_t>&)>& disturb,
                    const std::vector<std::string>& more = {},
                    const std::function<void(const std::vector<pid_t>&)>& then = {});
// The report has at least so many losses, of the middle of the run.
void expect_lost(const Files& files, std::size_t count);

// A disturbed_run of which one worker is stopped, and goes on once the others have done so without it. It was lost and
// has joined again.
Files run_with_a_return(const std::vector<std::string>& more);

std::string two_columns(int count);  // a table of whole numbers, without its header

}  // namespace kinescope::tests
