// Which panels are shown. When the window becomes narrow, the side panels fold by themselves.
#pragma once

#include <utility>

#include "app/ui/layout.hpp"

namespace kinescope::app {

class ShownPanels {
 public:
  explicit ShownPanels(bool shown) : shown_(shown) {}

  bool shown() const { return shown_; }
  bool sides() const { return sides_; }
  Panels now() const { return !shown_ ? Panels::none : sides_ ? Panels::all : Panels::bottom; }

  void show() { shown_ = true; }
  void show_sides() { shown_ = sides_ = true; }
  // Hides or shows the panels. If only the side panels are hidden, as at first in a narrow window, it shows these.
  void toggle() {
    if (shown_ && !sides_) {
      sides_ = true;
    } else {
      shown_ = !shown_;
      sides_ = !narrow_;
    }
  }
  void fit(bool narrow) {
    if (narrow != std::exchange(narrow_, narrow)) sides_ = !narrow;
  }

 private:
  bool shown_, sides_ = true, narrow_ = false;
};

}  // namespace kinescope::app
