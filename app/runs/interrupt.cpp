#include "app/runs/interrupt.hpp"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <unistd.h>
#include <utility>

namespace kinescope::app {
namespace {

volatile std::sig_atomic_t interrupt_seen = 0;

extern "C" void note_interrupt(int) {
  interrupt_seen = 1;
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

EndsAtInterrupt::EndsAtInterrupt(std::string message) : message_(std::move(message)), thread_([this] { watch(); }) {}

EndsAtInterrupt::~EndsAtInterrupt() {
  {
    const std::lock_guard lock(mutex_);
    is_over_ = true;
  }
  over_.notify_one();
  thread_.join();
}

// Work that hears the interrupt has time to end by itself.
void EndsAtInterrupt::watch() {
  constexpr std::chrono::milliseconds step{20}, grace{120};
  std::unique_lock lock(mutex_);
  const auto over = [this] { return is_over_; };
  while (!over_.wait_for(lock, step, over))
    if (interrupted() && !over_.wait_for(lock, grace, over)) {
      const std::string line =
          fmt::format("{}kinescope: error: {}\n", isatty(STDERR_FILENO) ? "\r\033[K" : "", message_);
      [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
      std::_Exit(130);
    }
}

}  // namespace kinescope::app
