// Jobs in the background: they run in order, their ends run on the window's thread, and nothing runs for an owner that
// is gone.
#include "app/runs/worker.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <string>

namespace kinescope::app::worker_test {
namespace {

TEST(Worker, EndsRunInOrderInPoll) {
  Worker worker;
  std::string ends;
  const std::thread::id here = std::this_thread::get_id();
  for (const char letter : {'a', 'b', 'c'})
    worker.post([&, letter]() -> Worker::Then {
      EXPECT_NE(std::this_thread::get_id(), here);
      return [&, letter] { ends += letter; };
    });
  worker.drain();
  EXPECT_EQ(ends, "abc");
  EXPECT_FALSE(worker.busy());
}

TEST(Worker, NothingEndsForAnOwnerWhoIsGone) {
  Worker worker;
  std::atomic<bool> go = false, second_began = false;
  int ends = 0;
  auto gone = std::make_shared<int>(), stays = std::make_shared<int>();
  worker.post(gone, [&]() -> Worker::Then {
    while (!go) std::this_thread::yield();
    return [&] { ++ends; };
  });
  worker.post(gone, [&]() -> Worker::Then {
    second_began = true;
    return {};
  });
  worker.post(stays, [&]() -> Worker::Then { return [&] { ends += 10; }; });
  gone.reset();
  go = true;
  worker.drain();
  EXPECT_EQ(ends, 10);
  EXPECT_FALSE(second_began);  // not even its job
}

}  // namespace
}  // namespace kinescope::app::worker_test
