// Cascaded shadow maps for what stands on the ground: plants and the cabin. (A map of heights casts the shadows of
// hills, terrain.hpp.) Each cascade covers a ball around a slice of the view and moves by whole texels, so that edges
// do not swim as the camera turns or walks. The cascades take turns in being redrawn, the nearest most often. Between
// its turns a map is used as it was last drawn.
#pragma once

#include <array>
#include <glm/mat4x4.hpp>

#include "render/gl/framebuffer.hpp"
#include "render/landscape/frame_block.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

class Shadows {
 public:
  explicit Shadows(const Quality& quality);

  struct View {
    glm::vec3 eye, forward;
    float field_of_view, aspect;  // degrees, vertically
  };
  // Writes the cascades' places into the frame's block. Which of them are redrawn depends on the frame's number, and on
  // how far view and light have moved since each was drawn.
  void place(const View& view, glm::vec3 to_light, long frame_number, FrameBlock& frame);
  void forget();  // all must be redrawn, because what casts the shadows has changed
  bool is_due(int cascade) const { return cascades_[std::size_t(cascade)].due; }
  int count() const { return count_; }
  int size() const { return size_; }
  const glm::mat4& clip_from_world(int cascade) const { return cascades_[std::size_t(cascade)].clip_from_world; }
  // What is drawn after this goes into the cascade. It has depth only, which is not reversed: the nearest is the least.
  void begin(int cascade) const;
  void bind() const { map_.bind(shadow_map_unit); }

 private:
  struct Cascade {
    glm::mat4 clip_from_world{1};
    glm::vec3 middle{0}, to_light{0};
    float radius = 0, texel = 0;  // m; 0: never drawn
    bool due = false;
  };
  void move(Cascade& cascade, glm::vec3 middle, float radius, glm::vec3 to_light) const;

  int count_, size_;
  float distance_;
  Texture map_;
  Handle<DeleteFramebuffer> framebuffer_;
  std::array<Cascade, most_cascades> cascades_;
};

}  // namespace kinescope::render::landscape
