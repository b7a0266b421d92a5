// The water's surface. The pictures that it shows, refracted and reflected, are drawn before by the renderer.
#pragma once

#include <glm/vec3.hpp>

#include "render/landscape/quality.hpp"
#include "render/landscape/targets.hpp"
#include "render/shader.hpp"

namespace kinescope::render::landscape {

class Water {
 public:
  explicit Water(const Quality& quality);
  // Over what is drawn, with blending: transparent at the very shore.
  void draw(const Target& refraction, const Target& reflection, bool wireframe = false);

 private:
  Shader shader_;
  MipTexture ripples_;
  Buffer indices_;
  int rings_, spokes_, index_count_;
  VertexArray no_vertices_;
};

}  // namespace kinescope::render::landscape
