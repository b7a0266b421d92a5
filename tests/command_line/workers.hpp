// Runs of k-means by several processes, and what tests do to these processes.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

#include "tests/command_line/program.hpp"

namespace kinescope::tests {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
inline constexpr double watchdog = 300;  // seconds
#else
inline constexpr double watchdog = 30;
#endif

// Long enough to be disturbed in the middle: half a second on two cores.
inline constexpr int iterations = 900;
inline constexpr int rows = 10000;
extern const std::vector<std::string> long_run;

// Options with which members connect through the network, as with workers on other machines. A build without gloo has
// no network.
extern const std::vector<std::string> by_network;
bool has_network();

// What a run has written.
struct Files {
  std::string labels, centroids;
  nlohmann::json report;
  std::string errors;  // what it wrote to stderr
};
// Runs the program to the end in `folder`. If it fails, the test fails, and the result is empty.
Files run(const Folder& folder, std::vector<std::string> arguments, const std::vector<std::string>& more = {});
const Files& alone(int count = iterations);  // the files of long_run by one process, with `count` iterations
void expect_same(const Files& files, const Files& expected);

// The processes of the group in `folder`: its workers, and the run itself (0 before it says anything).
std::vector<pid_t> workers_of(const Folder& folder);
pid_t coordinator_of(const Folder& folder);
void send(pid_t process, int signal);  // the test fails if there is no process; 0 would mean all of this one's group

// The beginning of a process's presence note in the group's folder; zeros before it has written one.
struct Said {
  std::int64_t beats = 0, process = 0, iteration = 0;
  std::int32_t checksum = 0, ready = 0;
};
Said said_by(const Folder& folder, const std::string& who);

// Waits until `is_there` returns true; the test fails if that takes longer than about 20 s.
void await(const char* what, const std::function<bool()>& is_there);
bool await_iteration(const Folder& folder, std::int64_t iteration);  // false: the run is over

// Stops the run in `folder` (SIGSTOP) for as long as this object lives.
class Halt {
 public:
  explicit Halt(const Folder& folder);
  ~Halt();
  Halt(const Halt&) = delete;
  Halt& operator=(const Halt&) = delete;

 private:
  pid_t process_;
};

// Runs long_run with four workers. `disturb` gets their processes while the run is stopped, and makes it lose at least
// one; `then` gets them once the run goes on. If the run was too quick for that, it is repeated with four times as many
// iterations. `group_goes`: nothing of the group is left then.
Files disturbed_run(const Folder& folder, const std::function<void(const std::vector<pid_t>&)>& disturb,
                    const std::vector<std::string>& more = {},
                    const std::function<void(const std::vector<pid_t>&)>& then = {}, bool group_goes = true);
// Expects that the report has at least `count` losses, all in the middle of the run.
void expect_lost(const Files& files, std::size_t count);

// A disturbed_run in which one worker is stopped, and continued once the others have gone on without it. Expects that
// it was lost and has joined again.
Files run_with_a_return(const std::vector<std::string>& more);

std::string two_columns(int count);  // a table of whole numbers, without its header
// A NumPy array of rows of 16 columns in 12 clusters; `first` is its first number.
std::string array_of(int count, float first);

}  // namespace kinescope::tests
