// The cabin: one mesh at one place.
#pragma once

#include <glm/vec4.hpp>

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/mesh.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

class Cabin {
 public:
  explicit Cabin(const Quality& quality);
  // `place` is the floor's centre and the yaw. A vertex's `kind` is 0 for walls, 1 roof, 2 door, 3 chimney, 4 window.
  void set(const MeshData& mesh, glm::vec4 place);
  void draw(bool shadow);

 private:
  Shader shader_, shadow_shader_;
  Buffer vertices_, indices_;
  VertexArray array_ = mesh_array();
  glm::vec4 place_{0};
  GLsizei index_count_ = 0;
};

}  // namespace kinescope::render::landscape
