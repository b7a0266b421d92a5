// Jobs in the background: they run in order, their ends run on the window's thread, and nothing runs for an owner that
// is gone.
#include "app/runs/job_queue.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <string>

namespace kinescope::app::worker_test {
namespace {

TEST(JobQueue, EndsRunInOrderInPoll) {
  JobQueue jobs;
  std::string ends;
  const std::thread::id here = std::this_thread::get_id();
  for (const char letter : {'a', 'b', 'c'})
    jobs.post([&, letter]() -> JobQueue::Then {
      EXPECT_NE(std::this_thread::get_id(), here);
      return [&, letter] { ends += letter; };
    });
  jobs.drain();
  EXPECT_EQ(ends, "abc");
  EXPECT_FALSE(jobs.busy());
}

TEST(JobQueue, NothingEndsForAnOwnerWhoIsGone) {
  JobQueue jobs;
  std::atomic<bool> go = false, second_began = false;
  int ends = 0;
  auto gone = std::make_shared<int>(), stays = std::make_shared<int>();
  jobs.post(gone, [&]() -> JobQueue::Then {
    while (!go) std::this_thread::yield();
    return [&] { ++ends; };
  });
  jobs.post(gone, [&]() -> JobQueue::Then {
    second_began = true;
    return {};
  });
  jobs.post(stays, [&]() -> JobQueue::Then { return [&] { ends += 10; }; });
  gone.reset();
  go = true;
  jobs.drain();
  EXPECT_EQ(ends, 10);
  EXPECT_FALSE(second_began);  // not even its job
}

}  // namespace
}  // namespace kinescope::app::worker_test
