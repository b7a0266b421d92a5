// Grass near the eye: tufts on a grid that moves with the eye by whole cells. Which of them are seen, and where they
// stand, is found by compute; what is drawn are only those.
#pragma once

#include "render/gl/objects.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

class Grass {
 public:
  explicit Grass(const Quality& quality);
  void draw();  // with the blocks of the frame and of the view bound, and what the terrain binds

 private:
  bool grows_;
  Shader place_shader_, shader_;
  Buffer tufts_, command_;
  VertexArray no_vertices_;
};

}  // namespace kinescope::render::landscape
