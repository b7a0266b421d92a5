// The clouds, drawn at a small size and laid over the sky; their shadows come from the same field (lighting.glsl).
#pragma once

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

class Clouds {
 public:
  explicit Clouds(const Quality& quality);
  void bind() const;  // noise and field
  // Draws the clouds for the view whose block is bound, and binds their layer; `picture` is the view's size in pixels.
  // On a GPU, draws them only where the sky shows in the bound samples, of which each pixel has `samples`.
  void draw(bool mirrored, glm::ivec2 picture, int samples);

 private:
  Quality quality_;
  Shader shader_;
  Texture noise_, field_;
  // Each view keeps a layer of its own, because the two have different sizes and are drawn in every frame.
  Texture layer_, mirrored_layer_;
};

}  // namespace kinescope::render::landscape
