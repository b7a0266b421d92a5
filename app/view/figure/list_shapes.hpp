// What Dear ImGui draws, as shapes of a vector picture.
#pragma once

#include <imgui.h>

#include "app/ui/theme.hpp"
#include "render/vectors/vector_picture.hpp"

namespace kinescope::app {

// Adds the list's triangles as polygons, and its letters, which are rectangles of the font's texture, as texts. The
// list must have been filled without antialiasing, and with these fonts only; images are left out. O(vertices).
void add_list(render::VectorPicture& picture, const ImDrawList& list, const Fonts& fonts);

}  // namespace kinescope::app
