// Work in the background: in order, its ends on the window's thread, and none for somebody who is gone.
#include "app/runs/background.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <string>

namespace kinescope::app {
namespace {

TEST(Background, EndsRunInOrderInPoll) {
  Background background;
  std::string ends;
  const std::thread::id here = std::this_thread::get_id();
  for (const char letter : {'a', 'b', 'c'})
    background.post([&, letter]() -> Background::Then {
      EXPECT_NE(std::this_thread::get_id(), here);
      return [&, letter] { ends += letter; };
    });
  background.drain();
  EXPECT_EQ(ends, "abc");
  EXPECT_FALSE(background.busy());
}

TEST(Background, NothingEndsForAnOwnerWhoIsGone) {
  Background background;
  std::atomic<bool> go = false, second_began = false;
  int ends = 0;
  auto gone = std::make_shared<int>(), stays = std::make_shared<int>();
  background.post(gone, [&]() -> Background::Then {
    while (!go) std::this_thread::yield();
    return [&] { ++ends; };
  });
  background.post(gone, [&]() -> Background::Then {
    second_began = true;
    return {};
  });
  background.post(stays, [&]() -> Background::Then { return [&] { ends += 10; }; });
  gone.reset();
  go = true;
  background.drain();
  EXPECT_EQ(ends, 10);
  EXPECT_FALSE(second_began);  // not even its job
}

}  // namespace
}  // namespace kinescope::app
