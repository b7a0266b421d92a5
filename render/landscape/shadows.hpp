// Cascaded shadow maps for what stands on the ground: plants and the cabin. (Hills cast theirs by a map of heights,
// ground.hpp.) Each cascade covers a ball around a slice of the view and moves by whole texels, so that edges do not
// swim as the camera turns or walks.
#pragma once

#include <array>
#include <glm/mat4x4.hpp>

#include "render/landscape/frame_block.hpp"
#include "render/landscape/quality.hpp"
#include "render/landscape/targets.hpp"

namespace kinescope::render::landscape {

class Shadows {
 public:
  explicit Shadows(const Quality& quality);

  // Where the cascades are, into the frame's block.
  void place(glm::vec3 eye, glm::vec3 forward, float field_of_view, float aspect, glm::vec3 to_light,
             FrameBlock& frame);
  int count() const { return count_; }
  int size() const { return size_; }
  const glm::mat4& clip_from_world(int cascade) const { return clip_from_world_[std::size_t(cascade)]; }
  // Draw into the cascade after this (depth only, an ordinary depth: nearest is least).
  void begin(int cascade) const;
  void bind() const { map_.bind(unit::shadow_map); }

 private:
  int count_, size_;
  float distance_;
  MipTexture map_;
  Handle<DeleteFramebuffer> framebuffer_;
  std::array<glm::mat4, most_cascades> clip_from_world_;
};

}  // namespace kinescope::render::landscape
