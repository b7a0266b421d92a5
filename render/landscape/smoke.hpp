// The chimney's smoke: its surface as a translucent, lit mesh, or its field as a soft volume.
#pragma once

#include <glm/vec4.hpp>

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

// What the simulation publishes of the smoke this frame.
struct SmokeBuffers {
  BufferView positions, normals, indices, draw, field;
  glm::vec4 cube{0};   // corner, side; m
  int field_grid = 0;  // nodes along a side of the field
};

class Smoke {
 public:
  explicit Smoke(const Quality& quality);
  // Blends over what is drawn; the depth is read but not written.
  void draw_surface(const SmokeBuffers& smoke);
  void draw_volume(const SmokeBuffers& smoke);

 private:
  Shader surface_, volume_;
  Texture field_;
  int field_grid_ = 0;
  VertexArray no_vertices_;
};

}  // namespace kinescope::render::landscape
