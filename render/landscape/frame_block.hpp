// The uniform blocks that all shaders of the landscape share: the C++ side of shaders/landscape/frame.glsl.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>

namespace kinescope::render::landscape {

#include "shaders/landscape/shared.glsl"

struct FrameBlock {
  glm::vec4 sun{0}, moon{0};  // sun.w: exposure, 1 in the open by day
  glm::vec4 key{0};           // towards the light that casts shadows; w: 1 the sun, 0 the moon
  glm::vec4 wind{0};          // direction it blows to (x, y), speed, time in seconds
  glm::vec4 terrain{0};       // extent, spacing, lowest, highest
  glm::vec4 water{0};         // sea level, 1 if the camera is below it, wave height, snow line
  glm::vec4 air{0};           // extinction at sea level, its scale height, cloud cover, night
  glm::vec4 clouds{0};        // base, top, drift
  glm::vec4 lamp{0};          // the cabin's lamp, its strength
  glm::vec4 cascade_far{0};   // far distances of the cascades
  glm::vec4 shadow_texel{0};  // metres per texel
  glm::vec4 options{0};       // cascades, frame number, detail, debug view
  glm::mat4 shadow_from_world[most_cascades];
};

struct ViewBlock {
  glm::mat4 clip_from_world{1}, world_from_clip{1};
  glm::vec4 camera{0};               // position, near plane
  glm::vec4 clip_plane{0, 0, 0, 1};  // what is below it is cut off
  glm::vec4 picture{1, 1, 1, 1};     // size and its inverse
};

// Written by the GPU (sky_light_compute.glsl).
struct LightBlock {
  glm::vec4 key_colour, ambient[6], exposure;
};

static_assert(sizeof(FrameBlock) == 12 * sizeof(glm::vec4) + most_cascades * sizeof(glm::mat4));
static_assert(sizeof(LightBlock) == 8 * sizeof(glm::vec4));

}  // namespace kinescope::render::landscape
