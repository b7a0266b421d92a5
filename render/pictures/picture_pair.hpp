// Two pictures of one size at the same place, one to the left of a divider and one to the right of it: for comparing.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <span>

#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"

namespace kinescope::render {

struct PairView {
  glm::vec2 corner{0, 0};  // the place in the pictures, in their pixels, y down, at the canvas's upper left corner
  float scale = 1;         // pixels of the pictures to one of the canvas
  float divider = 0;       // pixels of the whole canvas from its left edge
};

class PicturePair {
 public:
  PicturePair();

  // The left picture: size.x × size.y colours (8-bit sRGB, the fourth byte ignored), the top row first.
  void set_left(std::span<const std::array<std::uint8_t, 4>> colours, glm::ivec2 size);
  glm::ivec2 size() const { return size_; }

  // `right` holds colours as the left picture does, a word each; while it is empty or too small the left picture
  // covers the whole. What lies outside the pictures stays as it is.
  void draw(BufferView right, const PairView& view, const Canvas& canvas);

 private:
  Shader shader_;
  Buffer left_;
  VertexArray no_attributes_;
  glm::ivec2 size_{0, 0};
};

}  // namespace kinescope::render
