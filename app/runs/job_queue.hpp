// Work that would keep the window waiting, on a thread of its own: reading files, encoding pictures, colouring a
// million points.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace kinescope::app {

class JobQueue {
 public:
  using Then = std::function<void()>;

  JobQueue() : thread_([this] { work(); }) {}
  ~JobQueue();  // finishes the current job and drops the others

  // `job` runs on this thread; the function that it returns runs on the window's thread, in poll(). Jobs run in order
  // and must catch what they throw.
  void post(std::function<Then()> job);
  // The same on behalf of `owner`: once it is gone, neither the job nor its end runs.
  void post(std::weak_ptr<const void> owner, std::function<Then()> job);
  void poll();
  bool busy() const;  // a job waits or runs, or its end has not been polled
  // Waits until every posted job and its end have run.
  void drain();

 private:
  void work();

  mutable std::mutex mutex_;
  std::condition_variable wake_, idle_;
  std::deque<std::function<Then()>> waiting_;
  std::deque<Then> ends_;
  bool stop_ = false, working_ = false;
  std::thread thread_;
};

}  // namespace kinescope::app
