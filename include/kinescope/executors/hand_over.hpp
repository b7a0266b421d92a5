// Tells the thread sanitizer how oneTBB orders a launch: its tasks begin after what the caller did before, and what the
// caller does next comes after their ends. The sanitizer cannot see that, because the library is compiled without it.
// In other builds this is nothing.
#pragma once

#ifdef __SANITIZE_THREAD__
#include <atomic>
#endif

namespace kinescope::sim {

// Made by the caller, and destroyed by it after the launch.
class HandOver {
 public:
#ifdef __SANITIZE_THREAD__
  HandOver() {
    begun_.store(true, std::memory_order_release);
  }
  ~HandOver() {
    ended_.load(std::memory_order_acquire);
  }
  HandOver(const HandOver&) = delete;
  HandOver& operator=(const HandOver&) = delete;

  // Calls a task's work.
  template <class F>
  void task(F work) {
    begun_.load(std::memory_order_acquire);
    work();
    ended_.fetch_add(1, std::memory_order_acq_rel);
  }

  // Calls the work of a step that also comes after the ends of earlier steps, as in a pipeline.
  template <class F>
  void step(F work) {
    ended_.load(std::memory_order_acquire);
    task(work);
  }

 private:
  std::atomic<bool> begun_ = false;
  std::atomic<long> ended_ = 0;
#else
  template <class F>
  void task(F work) {
    work();
  }
  template <class F>
  void step(F work) {
    work();
  }
#endif
};

}  // namespace kinescope::sim
