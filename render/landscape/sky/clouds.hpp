// The clouds, drawn at a small size and laid over the sky; their shadows come from the same field (lighting.glsl).
#pragma once

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

class Clouds {
 public:
  explicit Clouds(const Quality& quality);
  void bind() const;  // noise, field and layer
  // Draws the clouds for the view whose block is bound; `picture` is its size in pixels. On a GPU, draws them only
  // where the sky shows in the bound samples, of which each pixel has `samples`.
  void draw(glm::ivec2 picture, int samples);

 private:
  Quality quality_;
  Shader shader_;
  Texture noise_, field_, layer_;
};

}  // namespace kinescope::render::landscape
