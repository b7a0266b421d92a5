// Converts linear light for the screen: bloom, light shafts, tone mapping, and antialiasing of the remaining edges.
// These are compute shaders, because data-centre GPUs have many times more cores for compute shaders than for drawing.
#pragma once

#include <glm/vec2.hpp>
#include <optional>
#include <vector>

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"
#include "render/landscape/quality.hpp"

namespace kinescope::render::landscape {

class Post {
 public:
  explicit Post(const Quality& quality);
  // `sun` is the sun's place in the picture (0 … 1), if it may cast shafts.
  void draw(const Framebuffer& picture, const Texture& depth, const Canvas& canvas, std::optional<glm::vec2> sun,
            float shaft_strength);

 private:
  void allocate(glm::ivec2 size);
  void bloom(const Framebuffer& picture);
  const Texture& shafts(const Framebuffer& picture, const Texture& depth, glm::vec2 sun);
  void enlarge(const Canvas& canvas);
  GLenum format() const;

  Quality quality_;
  Shader tone_, fxaa_, bloom_, shaft_source_, shafts_, enlarge_;
  std::vector<Texture> pyramid_;
  Texture mapped_, light_shafts_[2];
  Framebuffer smooth_;
  VertexArray no_vertices_;
};

}  // namespace kinescope::render::landscape
