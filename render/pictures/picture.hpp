// Pictures of any size, drawn off screen: screenshots, also larger than a texture may be.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/gl/framebuffer.hpp"

namespace kinescope::render {

// Clears to the background and calls `draw` for the whole picture, or for one tile after the other if the picture is
// larger than `largest_tile` (0: what the driver allows, 8192 at most). Waits for the result. Throws sim::Error if
// memory is short.
Image render_picture(glm::ivec2 size, glm::vec3 background, const std::function<void(const Canvas&)>& draw,
                     int largest_tile = 0);

}  // namespace kinescope::render
