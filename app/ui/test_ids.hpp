// Prints where widgets are, so that GUI tests find them: "id x y w h" in the window's pixels, a line a widget, whenever
// the layout has changed; and "state KEY VALUE" when a value has changed.
#pragma once

#include <imgui.h>
#include <map>
#include <set>
#include <string>

namespace kinescope::app {

class TestIds {
 public:
  explicit TestIds(bool enabled = false) : enabled_(enabled) {}
  bool enabled() const { return enabled_; }
  void begin_frame() { seen_.clear(); }
  void widget(const char* id, ImVec2 low, ImVec2 high);
  void last_item(const char* id);  // the widget that ImGui was given last
  void cut(const char* id);        // its text did not fit and was shortened
  void state(const std::string& key, const std::string& value);
  void end_frame();  // prints what differs from the last time

 private:
  struct Rectangle {
    int x, y, w, h;
    bool operator==(const Rectangle&) const = default;
  };
  bool enabled_;
  std::map<std::string, Rectangle> seen_, printed_;
  std::map<std::string, std::string> states_;
  std::set<std::string> cut_;
};

}  // namespace kinescope::app
