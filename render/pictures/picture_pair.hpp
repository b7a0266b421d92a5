// Two pictures of the same size in the same place, one left and one right of a divider, for comparison.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <span>

#include "render/colour_map.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/shader.hpp"

namespace kinescope::render {

struct PairView {
  glm::vec2 corner{0, 0};  // the pictures' point at the whole canvas's upper left corner, in their pixels, y down
  float scale = 1;         // picture pixels per canvas pixel
  float divider = 0;       // pixels from the left edge of the whole canvas
};

class PicturePair {
 public:
  PicturePair();

  // The left picture has extent.x × extent.y colours (8-bit sRGB and the opacity), the top row first. The colour of
  // pixel i in the right picture is word rows[i] there, or word i if `rows` is empty; where the opacity is 0, it is not
  // read.
  void set_left(std::span<const std::array<std::uint8_t, 4>> colours, glm::ivec2 extent,
                std::span<const std::uint32_t> rows = {});
  glm::ivec2 size() const { return size_; }

  // `right` holds colours in the left picture's format, one 32-bit word each; its opacity is the left picture's. While
  // it is empty or too small, the left picture covers both sides. Under transparent pixels the background is chequered.
  // The area outside the pictures is not drawn to.
  void draw(BufferView right, const PairView& view, Background background, const Canvas& canvas);

 private:
  Shader shader_;
  Buffer left_, rows_;
  std::size_t right_bytes_ = 0;  // needed
  VertexArray no_attributes_;
  glm::ivec2 size_{0, 0};
};

}  // namespace kinescope::render
