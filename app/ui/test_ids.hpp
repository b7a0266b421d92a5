// Prints for GUI tests where the widgets are: a line "id NAME x y w h" in the window's pixels whenever a widget has
// appeared, moved or disappeared, "state KEY VALUE" when a value has changed, and "cut NAME" when a text was shortened.
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
  // Records ImGui's last item under this id.
  void last_item(const char* id) { widget(id, ImGui::GetItemRectMin(), ImGui::GetItemRectMax()); }
  void cut(const char* id);  // the text did not fit and was shortened
  void state(const std::string& key, const std::string& value);
  void end_frame();  // prints what has changed since the last frame; the lines of a frame arrive together

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
