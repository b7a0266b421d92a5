// From linear light to the screen: bloom, light shafts, tone mapping, and antialiasing of the remaining edges. All run
// as compute shaders: data-centre GPUs compute on many times more cores than they draw with.
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
  // `sun`: its place in the picture (0 … 1) if it may cast shafts; `strength`: of the shafts.
  void draw(const Framebuffer& picture, const Texture& depth, const Canvas& canvas, std::optional<glm::vec2> sun,
            float shaft_strength);

 private:
  void allocate(glm::ivec2 size);
  void bloom(const Framebuffer& picture);

  Quality quality_;
  Shader tone_, fxaa_, bloom_, shafts_;
  std::vector<Texture> pyramid_;
  Texture mapped_, light_shafts_;
  Framebuffer smooth_;
};

}  // namespace kinescope::render::landscape
