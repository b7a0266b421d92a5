#include "app/runs/children.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "app/runs/programs.hpp"
#include "kinescope/error.hpp"

namespace kinescope::app {

Children::~Children() {
  using Clock = std::chrono::steady_clock;
  for (const auto end = Clock::now() + std::chrono::seconds(1); !running_.empty() && Clock::now() < end; ended())
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  kill_all();
}

void Children::kill_all() {
  const std::lock_guard lock(mutex_);
  for (const std::int64_t child : running_) kill(static_cast<pid_t>(child), SIGKILL);
  for (const std::int64_t child : running_) waitpid(static_cast<pid_t>(child), nullptr, 0);
  running_.clear();
}

void Children::start_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = arguments;
  words.insert(words.begin(), "kinescope");
  pid_t child = 0;
  const std::lock_guard lock(mutex_);
  running_.reserve(running_.size() + 1);  // no child is without its note
  // Ctrl-C must reach only this program, which then ends its children.
  const int refused =
      app::start_program("/proc/self/exe", words, {.errors = STDERR_FILENO, .flags = POSIX_SPAWN_SETPGROUP}, child);
  if (refused != 0) throw sim::run_error(std::string("a worker cannot be started: ") + std::strerror(refused));
  running_.push_back(child);
}

std::vector<std::int64_t> Children::ended() {
  const std::lock_guard lock(mutex_);
  const auto gone = std::stable_partition(running_.begin(), running_.end(), [](std::int64_t child) {
    return waitpid(static_cast<pid_t>(child), nullptr, WNOHANG) == 0;
  });
  std::vector<std::int64_t> ended(gone, running_.end());
  running_.erase(gone, running_.end());
  return ended;
}

void Children::kill_first() {
  const std::lock_guard lock(mutex_);
  if (!running_.empty()) kill(static_cast<pid_t>(running_.front()), SIGKILL);
}

}  // namespace kinescope::app
