#include "app/view/input_queue.hpp"

#include <algorithm>
#include <cfloat>

namespace kinescope::app {

// What ImGui has been given in this pass.
struct InputQueue::Pass {
  bool moved = false, wheeled = false, typed = false, key = false;
  unsigned buttons = 0;       // the buttons that changed
  std::deque<int> modifiers;  // the modifiers that changed
};

bool InputQueue::fits(const Event& event, const Pass& pass, const ImGuiIO& io) {
  const bool acted = pass.buttons != 0 || pass.wheeled || pass.key;
  switch (event.kind) {
    case Kind::cursor:  // earlier events of this pass need the old position; a drag passes through every position
      return !acted && !(pass.moved && std::ranges::count(io.MouseDown, true) > 0);
    case Kind::leave:
      return !acted;
    case Kind::button:  // ImGui must see the end of a drag before the button is released
      return (pass.buttons & (1u << event.code)) == 0 && !pass.wheeled && (event.down || !pass.moved);
    case Kind::wheel:
      return pass.buttons == 0;
    case Kind::key:
      return !pass.key && !pass.typed;
    case Kind::modifier:  // ImGui must see the S of Ctrl-S before Ctrl is released
      return !acted && !pass.typed && std::ranges::count(pass.modifiers, event.code) == 0;
    default:
      return true;
  }
}

void InputQueue::take(const Event& event, Pass& pass, ImGuiIO& io) {
  switch (event.kind) {
    case Kind::cursor:
      cursor_ = {event.x, event.y};
      pass.moved = true;
      break;
    case Kind::leave:
      if (std::ranges::count(down_, true) == 0) cursor_ = {-FLT_MAX, -FLT_MAX};
      break;
    case Kind::button:
      if (event.code < 0 || event.code >= ImGuiMouseButton_COUNT) break;
      down_[event.code] = event.down;
      pass.buttons |= 1u << event.code;
      break;
    case Kind::wheel:
      io.MouseWheelH += event.x;
      io.MouseWheel += event.y;
      pass.wheeled = true;
      break;
    case Kind::key:
    case Kind::modifier:
      if (event.code >= 0 && event.code < IM_ARRAYSIZE(io.KeysDown)) io.KeysDown[event.code] = event.down;
      if (event.kind == Kind::key)
        pass.key = true;
      else
        pass.modifiers.push_back(event.code);
      break;
    case Kind::text:
      io.AddInputCharacter(unsigned(event.code));
      pass.typed = true;
      break;
  }
}

bool InputQueue::feed(ImGuiIO& io) {
  std::ranges::copy(down_, io.MouseDown);
  Pass pass;
  while (!events_.empty() && fits(events_.front(), pass, io)) {
    take(events_.front(), pass, io);
    events_.pop_front();
  }
  io.MousePos = cursor_;
  std::ranges::copy(down_, io.MouseDown);
  return !events_.empty();
}

}  // namespace kinescope::app
