// Input between two frames reaches ImGui in passes that it can tell apart.
#include "app/view/input_queue.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace kinescope::app::input_queue_test {
namespace {

constexpr int key_s = 83, control = 341;

// What ImGui sees in each pass.
struct Seen {
  ImVec2 at;
  bool left, s, control;
};

std::vector<Seen> passes(InputQueue& queue) {
  ImGuiIO io;
  std::vector<Seen> seen;
  bool more = true;
  while (more) {
    more = queue.feed(io);
    seen.push_back({io.MousePos, io.MouseDown[0], io.KeysDown[key_s], io.KeysDown[control]});
    io.ClearInputCharacters();
  }
  return seen;
}

TEST(InputQueue, ClicksBetweenTwoFramesAreSeenWhereTheyWereMade) {
  InputQueue queue;
  queue.push_cursor(10, 20);
  for (int click = 0; click < 2; ++click) {
    queue.push_button(0, true);
    queue.push_button(0, false);
  }
  queue.push_cursor(300, 400);
  const std::vector<Seen> seen = passes(queue);
  int presses = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (!seen[i].left || (i > 0 && seen[i - 1].left)) continue;
    ++presses;
    EXPECT_EQ(seen[i].at.x, 10);
    EXPECT_EQ(seen[i + 1].at.x, 10) << "and let go there";
  }
  EXPECT_EQ(presses, 2);
  EXPECT_EQ(seen.back().at.x, 300);
  EXPECT_FALSE(seen.back().left);
}

TEST(InputQueue, AModifierHoldsForTheKeysBetweenItsPressAndItsRelease) {
  InputQueue queue;
  for (int i = 0; i < 8; ++i) {
    queue.push_key(control, true, true);
    queue.push_key(key_s, true, false);
    queue.push_key(key_s, false, false);
    queue.push_key(control, false, true);
  }
  const std::vector<Seen> seen = passes(queue);
  int saved = 0;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i].s && (i == 0 || !seen[i - 1].s)) saved += seen[i].control;
  EXPECT_EQ(saved, 8);
}

TEST(InputQueue, MovesBecomeOneUnlessAButtonIsDown) {
  InputQueue queue;
  for (int i = 0; i < 50; ++i) queue.push_cursor(float(i), 0);
  EXPECT_EQ(passes(queue).size(), 1u);
  queue.push_button(0, true);
  for (int i = 0; i < 50; ++i) queue.push_cursor(float(i), 1);
  EXPECT_GE(passes(queue).size(), 50u);
}

TEST(InputQueue, ADragIsSeenBeforeItsEnd) {
  InputQueue queue;
  queue.push_cursor(10, 20);
  queue.push_button(0, true);
  queue.push_cursor(300, 400);
  queue.push_button(0, false);
  bool dragged = false;
  for (const Seen& each : passes(queue)) dragged |= each.left && each.at.x == 300;
  EXPECT_TRUE(dragged);
}

TEST(InputQueue, WithoutEventsThereIsOnePass) {
  InputQueue queue;
  EXPECT_EQ(passes(queue).size(), 1u);
  EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace kinescope::app::input_queue_test
