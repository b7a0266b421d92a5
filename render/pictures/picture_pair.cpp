#include "render/pictures/picture_pair.hpp"

namespace kinescope::render {

PicturePair::PicturePair() : shader_({"points/screen_vertex.glsl", "pictures/pair_fragment.glsl"}) {}

void PicturePair::set_left(std::span<const std::array<std::uint8_t, 4>> colours, glm::ivec2 size) {
  size_ = size;
  left_ = Buffer(colours.size_bytes(), colours.data());
}

void PicturePair::draw(BufferView right, const PairView& view, const Canvas& canvas) {
  if (!left_) return;
  const bool has_right = right && std::size_t(right.bytes) >= left_.bytes();
  const BufferView left = left_.view();
  shader_.use();
  left.bind_storage(0);
  (has_right ? right : left).bind_storage(1);
  shader_.set("size", size_);
  shader_.set("canvas_origin", glm::vec2(canvas.origin));
  shader_.set("tile_origin", glm::vec2(canvas.tile_origin));
  shader_.set("canvas_height", float(canvas.whole().y));
  shader_.set("corner", view.corner);
  shader_.set("scale", view.scale);
  shader_.set("divider", view.divider);
  shader_.set("has_right", has_right);
  canvas.bind();
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  no_attributes_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glUseProgram(0);
}

}  // namespace kinescope::render
