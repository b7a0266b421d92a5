// One line on stderr that is redrawn; silent if stderr is no terminal.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "kinescope/simulation.hpp"

namespace kinescope::app {

class ProgressBar {
 public:
  ProgressBar();
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // Draws at most ten times a second.
  void show_loading(std::string_view what, float fraction);
  void show(const sim::Progress& progress, const std::string& figure_name);
  // Says at once what is done now, if how far it is cannot be known.
  void say(std::string_view what);
  void clear();
  // Prints a line that stays.
  void leave(std::string_view text);

 private:
  bool due();
  void draw(std::string_view head, double fraction, std::string_view tail);

  const bool terminal_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point last_{};
};

// "[#####-----]": `width` characters between the brackets. A fraction outside 0 … 1 (or NaN) is clamped.
std::string bar_text(double fraction, int width);
// "3 s", "2 min 5 s", "1 h 4 min"
std::string duration_text(double seconds);

}  // namespace kinescope::app
