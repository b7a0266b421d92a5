// The command palette (Ctrl-P): finds what can be done in the window by typing a part of its name.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "app/ui/widgets.hpp"
#include "app/view/palette/palette_match.hpp"

namespace kinescope::app {

class Palette {
 public:
  void show(std::vector<PaletteEntry> entries);
  bool shown() const { return shown_; }  // it then has the keyboard
  // Call once a pass; draws it over the window.
  void draw(Ui& ui);
  // What was chosen, to be called when no panel is being drawn; null: nothing.
  std::function<void()> take() { return std::exchange(chosen_, nullptr); }

 private:
  void keyboard();
  void draw_entries(Ui& ui);
  void choose(std::size_t index);

  bool shown_ = false, appeared_ = false, scroll_ = false;
  std::vector<PaletteEntry> entries_, matching_;
  std::string typed_;
  std::size_t selected_ = 0;  // index into matching_
  std::function<void()> chosen_;
};

}  // namespace kinescope::app
