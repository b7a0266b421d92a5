// The chimney's smoke: its field as a soft volume that light passes through, or its surface as a translucent mesh.
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec4.hpp>

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

// The smoke as the simulation has published it for this frame.
struct SmokeBuffers {
  BufferView positions, normals, indices, draw, field;
  glm::vec4 cube{0};   // corner, side; m
  int field_grid = 0;  // nodes along a side of the field
};

class Smoke {
 public:
  explicit Smoke(const Quality& quality);
  // Blends the surface over what is drawn; the depth is read but not written.
  void draw_surface(const SmokeBuffers& smoke);

  // Copies the field and finds how much light reaches each place in it. Call once a frame, before any draw_volume().
  void prepare_volume(const SmokeBuffers& smoke);
  // Draws the volume into the view whose block is bound. `depth` is that of the drawn surfaces, as large as `picture`.
  void draw_volume(const SmokeBuffers& smoke, const Framebuffer& picture, const Texture& depth,
                   const glm::mat4& clip_from_world);

 private:
  void take_field(const SmokeBuffers& smoke);
  void compute_volume(const Framebuffer& picture, glm::ivec2 low, glm::ivec2 high);
  void rasterize_volume(const Framebuffer& picture, const glm::mat4& clip_from_world);
  void find_filled(const SmokeBuffers& smoke);
  void set_box(Shader& shader, float margin) const;

  Quality quality_;
  Shader surface_, volume_, over_, field_shader_, shade_shader_;
  Texture field_, shade_;
  Framebuffer small_;           // for software: the volume at half the picture's size
  glm::vec3 low_{0}, high_{0};  // corners of the part of the cube that is drawn
  int field_grid_ = 0;
  bool prepared_ = false;
  VertexArray no_vertices_;
};

}  // namespace kinescope::render::landscape
