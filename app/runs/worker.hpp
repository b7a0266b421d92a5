// A thread for what would keep the window waiting: reading files, encoding pictures, colouring a million points.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace kinescope::app {

class Worker {
 public:
  using Then = std::function<void()>;

  Worker();
  ~Worker();  // finishes the job under way; the others are dropped

  // `job` runs on the thread; what it returns runs on the window's thread, in poll(). Jobs run in order. A job catches
  // what it throws.
  void post(std::function<Then()> job);
  // The same for somebody who may be gone by then: with `owner` the job's end goes too.
  void post(std::weak_ptr<const void> owner, std::function<Then()> job);
  void poll();
  bool busy() const;  // a job is waiting or under way, or its end has not been polled
  // Runs everything that was posted, waiting for it.
  void drain();

 private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::deque<std::function<Then()>> jobs_;
  std::deque<Then> ends_;
  bool stop_ = false, working_ = false;
  std::thread thread_;
};

}  // namespace kinescope::app
