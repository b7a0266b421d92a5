// Draws pictures of any size off screen, such as screenshots; they may be larger than a texture can be.
#pragma once

#include <functional>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "render/gl/framebuffer.hpp"

namespace kinescope::render {

// Clears to the background and calls `draw` for the whole picture, or for each tile in turn if the picture is larger
// than `largest_tile` (0: what the driver allows, at most 8192). Waits for the result. Throws sim::Error if memory is
// short.
Image render_picture(glm::ivec2 size, glm::vec3 background, const std::function<void(const Canvas&)>& draw,
                     int largest_tile = 0);

}  // namespace kinescope::render
