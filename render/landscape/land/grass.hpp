// Grass near the eye: tufts on a grid that moves with the eye by whole cells. A compute shader finds the visible tufts
// and their places, and only those are drawn.
#pragma once

#include "render/gl/objects.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

class Grass {
 public:
  explicit Grass(const Quality& quality);
  void draw();  // needs the blocks of frame and view and the terrain's textures bound

 private:
  bool grows_;
  Shader place_shader_, shader_;
  Buffer tufts_, command_;
  VertexArray no_vertices_;
};

}  // namespace kinescope::render::landscape
