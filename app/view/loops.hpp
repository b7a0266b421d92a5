// The two ways frames come about: in a window, and headless into memory. Both throw sim::Error.
#pragma once

#include "app/view/view.hpp"

namespace kinescope::app {

void run_window(ViewOptions& options);
void run_headless(ViewOptions& options);

}  // namespace kinescope::app
