#include "app/runs/interrupt.hpp"

#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <mutex>
#include <unistd.h>
#include <utility>

namespace kinescope::app {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

extern "C" void note_interrupt(int) {
  interrupt_seen = 1;
}

// Work that hears the interrupt has time to end by itself.
void end_if_interrupted(const std::string& line, const std::stop_token& over) {
  constexpr std::chrono::milliseconds step{20}, grace{120};
  std::mutex mutex;
  std::condition_variable_any wake;  // by `over`
  std::unique_lock lock(mutex);
  const auto is_over_within = [&](std::chrono::milliseconds time) {
    return wake.wait_for(lock, over, time, [&] { return over.stop_requested(); });
  };
  while (!is_over_within(step))
    if (interrupted() && !is_over_within(grace)) {
      const std::string clear = isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "";  // the progress bar
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, (clear + line).data(), clear.size() + line.size());
      std::_Exit(130);
    }
}

}  // namespace

void catch_interrupt() {
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // under nohup SIGHUP stays ignored
}

bool interrupted() {
  return interrupt_seen != 0;
}

EndsAtInterrupt::EndsAtInterrupt(std::string message)
    : thread_([line = "kinescope: error: " + std::move(message) + "\n"](const std::stop_token& over) {
        end_if_interrupted(line, over);
      }) {}

}  // namespace kinescope::app
