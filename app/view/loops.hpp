// The two loops that make frames: in a window, and headless into memory. Both throw sim::Error.
#pragma once

#include "app/view/view.hpp"

namespace kinescope::app {

void run_window(ViewOptions& options);
void run_headless(ViewOptions& options);

}  // namespace kinescope::app
