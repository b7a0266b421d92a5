// What the window remembers from one start to the next: recent data, the window's place, widths of panels, the theme
// and the scale, the memory of the timeline.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kinescope::app {

// Widths of the side panels and height of the bottom panel, unscaled pixels. The row of buttons below the left panel
// needs its least width.
inline constexpr float least_left_width = 264, least_right_width = 200, most_side_width = 600;
inline constexpr float least_bottom_height = 136, most_bottom_height = 480;

inline constexpr double least_timeline_mb = 16, most_timeline_mb = 16'384;
inline constexpr double least_kept_mb = 1, most_kept_mb = 65'536;

// Of text, controls and marks, beyond what the display asks for.
inline constexpr double least_scale = 1, most_scale = 3;

struct Settings {
  std::vector<std::string> recent;  // sources of data, the latest first, ten at most
  std::string folder;               // where the last file was chosen; "": nowhere yet
  bool light = false;
  float left_width = 280, right_width = 296, bottom_height = 168;  // unscaled pixels
  double timeline_mb = 256;                                        // the most that a timeline may take
  double kept_mb = 1000;                                           // the most that runs kept for undo may take

  double scale = 1;  // of text, controls and marks
  // The window: its size and place in the display's pixels, unless it is maximized; width 0: not known.
  int window_width = 0, window_height = 0, window_x = 0, window_y = 0;
  bool maximized = false;

  void remember(const std::string& source);
  bool operator==(const Settings&) const = default;
};

// For a file its absolute, normalized path, so that it is the same however the file was named. Other sources stay as
// they are.
std::string whole_path(const std::string& source);

// Whether `path` is a link to a file that does not begin with `beginning`: one of the user's, which the program must
// not replace on its own account.
bool leads_elsewhere(const std::string& path, std::string_view beginning);

// $XDG_STATE_HOME/kinescope/window, else ~/.local/state/kinescope/window; "" where neither is known.
std::string settings_path();
// The saved settings, without recent files that no longer exist; defaults for what the file does not say or says
// wrongly, so that a damaged file does no harm.
Settings load_settings(const std::string& path);
// False if it cannot be written.
bool save_settings(const std::string& path, const Settings& settings);

}  // namespace kinescope::app
