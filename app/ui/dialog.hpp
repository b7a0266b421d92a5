// A panel in the middle of the window, over everything else, which has the keyboard while it is shown.
#pragma once

#include <imgui.h>

#include "app/ui/widgets.hpp"

namespace kinescope::app {

// Begins it; its size is in design pixels, less in a small window. `appeared`: it was not there in the last frame.
// Returns false if Escape or a click beside it asks to close it. Always call end_dialog().
bool begin_dialog(Ui& ui, const char* id, ImVec2 size, bool appeared);
void end_dialog();

}  // namespace kinescope::app
