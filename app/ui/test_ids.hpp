// Tells GUI tests where widgets are: a line "id x y w h" for each widget, in the window's pixels, whenever the layout
// has changed, and "state KEY VALUE" when a value has changed.
#pragma once

#include <imgui.h>
#include <map>
#include <set>
#include <string>

namespace kinescope::app {

class TestIds {
 public:
  explicit TestIds(bool enabled = false);
  bool enabled() const { return enabled_; }
  void begin_frame() { seen_.clear(); }
  void widget(const char* id, ImVec2 low, ImVec2 high);
  void last_item(const char* id);  // the last widget that ImGui was given
  void cut(const char* id);        // the text did not fit and was shortened
  void state(const std::string& key, const std::string& value);
  void end_frame();  // prints what has changed since the last time: a frame's lines arrive together

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
