#include "app/runs/job_queue.hpp"

#include <utility>

namespace kinescope::app {

JobQueue::~JobQueue() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void JobQueue::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stop_ || !waiting_.empty(); });
    if (stop_) return;
    const std::function<Then()> job = std::move(waiting_.front());
    waiting_.pop_front();
    working_ = true;
    lock.unlock();
    Then end = job();
    lock.lock();
    working_ = false;
    if (end) ends_.push_back(std::move(end));
    idle_.notify_all();
  }
}

void JobQueue::post(std::function<Then()> job) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(job));
  wake_.notify_one();
}

void JobQueue::post(std::weak_ptr<const void> owner, std::function<Then()> job) {
  post([owner = std::move(owner), job = std::move(job)]() -> Then {
    if (owner.expired()) return {};
    return [owner, end = job()] {
      if (const auto alive = owner.lock(); alive && end) end();
    };
  });
}

void JobQueue::poll() {
  std::unique_lock lock(mutex_);
  while (!ends_.empty()) {
    const Then end = std::move(ends_.front());
    ends_.pop_front();
    lock.unlock();
    end();
    lock.lock();
  }
}

bool JobQueue::busy() const {
  const std::lock_guard lock(mutex_);
  return working_ || !waiting_.empty() || !ends_.empty();
}

void JobQueue::drain() {
  while (busy()) {
    {
      std::unique_lock lock(mutex_);
      idle_.wait(lock, [this] { return (!working_ && waiting_.empty()) || !ends_.empty(); });
    }
    poll();
  }
}

}  // namespace kinescope::app
