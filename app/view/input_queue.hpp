// Keeps the events of mouse and keyboard in order until ImGui has seen them. ImGui 1.86 sees only what is down when a
// frame begins: it would miss or misread a click within one frame, two taps of a key, or a Ctrl that is released before
// the frame. So events are fed in passes that ImGui can tell apart.
//
//   push_...(…)                     as they come
//   do { more = queue.feed(io); one pass of the panels } while (more)
#pragma once

#include <deque>
#include <imgui.h>

namespace kinescope::app {

class InputQueue {
 public:
  void push_cursor(float x, float y) { events_.push_back({Kind::cursor, 0, false, x, y}); }
  void push_leave() { events_.push_back({Kind::leave, 0, false, 0, 0}); }
  void push_button(int button, bool down) { events_.push_back({Kind::button, button, down, 0, 0}); }
  void push_wheel(float x, float y) { events_.push_back({Kind::wheel, 0, false, x, y}); }
  // A key by its GLFW number; `modifier` for Ctrl, Shift, Alt and Super.
  void push_key(int key, bool down, bool modifier) {
    events_.push_back({modifier ? Kind::modifier : Kind::key, key, down, 0, 0});
  }
  void push_text(unsigned character) { events_.push_back({Kind::text, int(character), false, 0, 0}); }

  // Gives ImGui as many events as one pass can tell apart. True if more are left for another pass.
  bool feed(ImGuiIO& io);
  bool empty() const { return events_.empty(); }

 private:
  enum class Kind { cursor, leave, button, wheel, key, modifier, text };
  struct Event {
    Kind kind;
    int code;
    bool down;
    float x, y;
  };
  struct Pass;
  static bool fits(const Event& event, const Pass& pass, const ImGuiIO& io);
  void take(const Event& event, Pass& pass, ImGuiIO& io);

  std::deque<Event> events_;
  // What ImGui has seen so far.
  ImVec2 cursor_{-3.402823466e38f, -3.402823466e38f};
  bool down_[ImGuiMouseButton_COUNT] = {};
};

}  // namespace kinescope::app
