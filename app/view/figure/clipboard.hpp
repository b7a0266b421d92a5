// Pictures for other programs, in the clipboard. GLFW can only put text there; small programs that most desktops have
// can do more.
#pragma once

#include <string>

namespace kinescope::app {

// Why no picture can be copied, for people; "": one can.
std::string why_no_clipboard();
// Puts a PNG into the clipboard, where it stays until something else is copied. Throws sim::Error (run).
void copy_png(const std::string& png);

}  // namespace kinescope::app
