#include "app/runs/interrupt.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdlib>
#include <list>
#include <mutex>
#include <semaphore.h>
#include <unistd.h>
#include <utility>

#include "kinescope/data/output_file.hpp"

namespace kinescope::app {
namespace {

// Lock-free, as handlers of signals need it.
std::atomic<bool> interrupt_seen = false;
static_assert(std::atomic<bool>::is_always_lock_free);

// For before_abrupt_end(): what a handler of signals may do is little.
sem_t second_came;
std::atomic<int> second_signal = 0;
std::atomic<bool> second_is_awaited = false;

extern "C" void end_at_once(int signal) {
  if (second_is_awaited) {
    second_signal = signal;
    std::signal(signal, SIG_DFL);
    sem_post(&second_came);
    return;
  }
  sim::drop_staged_files();
  std::signal(signal, SIG_DFL);
  std::raise(signal);  // once this handler has returned
}

extern "C" void note_interrupt(int signal) {
  interrupt_seen = true;
  std::signal(signal, end_at_once);
}

void say_at_once(const std::string& line) {
  const std::string text = (isatty(STDERR_FILENO) != 0 ? "\r\033[K" : "") + line;  // over the progress bar
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

// Work that hears the interrupt by itself has time to end.
void hear_interrupt(const std::function<void()>& hear, const std::stop_token& over) {
  constexpr std::chrono::milliseconds step{20}, grace{120};
  std::mutex mutex;
  std::condition_variable_any wake;  // by `over`
  std::unique_lock lock(mutex);
  const auto is_over_within = [&](std::chrono::milliseconds time) {
    return wake.wait_for(lock, over, time, [&] { return over.stop_requested(); });
  };
  while (!is_over_within(step))
    if (interrupted()) {
      if (!is_over_within(grace)) hear();
      return;
    }
}

// What is to be done before the program ends at once. After a second interrupt a thread of its own does it.
class AbruptEnd {
 public:
  static AbruptEnd& of_the_program() {
    static AbruptEnd end;
    return end;
  }
  AbruptEnd() { sem_init(&second_came, 0, 0); }
  ~AbruptEnd() { sem_post(&second_came); }
  AbruptEnd(const AbruptEnd&) = delete;
  AbruptEnd& operator=(const AbruptEnd&) = delete;

  std::shared_ptr<void> add(std::function<void(bool is_second)> first) {
    std::unique_lock lock(mutex_);
    if (!thread_.joinable()) thread_ = std::jthread([this] { await_second(); });
    const auto place = firsts_.insert(firsts_.end(), std::move(first));
    second_is_awaited = true;
    lock.unlock();  // without memory for the pointer, its deleter is called at once
    return {nullptr, [this, place](void*) {
              const std::lock_guard lock_again(mutex_);
              firsts_.erase(place);
              second_is_awaited = !firsts_.empty();
            }};
  }
  void prepare(bool is_second) {
    const std::lock_guard lock(mutex_);
    for (const auto& first : firsts_) first(is_second);
    sim::drop_staged_files();
  }

 private:
  void await_second() {
    while (sem_wait(&second_came) != 0) continue;  // interrupted by a signal
    if (second_signal == 0) return;
    prepare(true);
    kill(getpid(), second_signal);
  }

  std::mutex mutex_;
  std::list<std::function<void(bool is_second)>> firsts_;
  std::jthread thread_;
};

}  // namespace

void catch_interrupt() {
  struct sigaction action = {};
  action.sa_handler = note_interrupt;
  sigemptyset(&action.sa_mask);
  for (const int signal : {SIGINT, SIGTERM}) sigaction(signal, &action, nullptr);
  struct sigaction before = {};
  sigaction(SIGHUP, nullptr, &before);
  if (before.sa_handler != SIG_IGN) sigaction(SIGHUP, &action, nullptr);  // under nohup SIGHUP stays ignored
}

bool interrupted() {
  return interrupt_seen;
}

HearsInterrupt::HearsInterrupt(std::function<void()> hear)
    : thread_([hear = std::move(hear)](const std::stop_token& over) { hear_interrupt(hear, over); }) {}

HearsInterrupt ends_at_interrupt(const std::string& message) {
  return ends_at_interrupt([message] { return message; });
}

HearsInterrupt ends_at_interrupt(std::function<std::string()> last) {
  return HearsInterrupt([last = std::move(last)] {
    const std::string line = "kinescope: error: " + last() + "\n";
    AbruptEnd::of_the_program().prepare(false);
    say_at_once(line);
    std::_Exit(130);
  });
}

HearsInterrupt answers_interrupt(const std::string& first) {
  return HearsInterrupt([line = "kinescope: interrupted: " + first + "; Ctrl-C again does not wait for it\n"] {
    if (isatty(STDERR_FILENO) != 0) say_at_once(line);
  });
}

HearsInterrupt hears_during_report(bool ended, std::function<std::string()> last) {
  return ended ? answers_interrupt("the report so far is written first") : ends_at_interrupt(std::move(last));
}

std::shared_ptr<void> before_abrupt_end(std::function<void(bool is_second)> first) {
  return AbruptEnd::of_the_program().add(std::move(first));
}

void prepare_abrupt_end(bool is_second) {
  AbruptEnd::of_the_program().prepare(is_second);
}

}  // namespace kinescope::app
