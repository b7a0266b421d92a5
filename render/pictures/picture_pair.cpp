#include "render/pictures/picture_pair.hpp"

#include <algorithm>
#include <glm/common.hpp>

namespace kinescope::render {

PicturePair::PicturePair() : shader_({"points/screen_vertex.glsl", "pictures/pair_fragment.glsl"}) {}

void PicturePair::set_left(std::span<const std::array<std::uint8_t, 4>> colours, glm::ivec2 extent,
                           std::span<const std::uint32_t> rows) {
  size_ = extent;
  left_ = Buffer(colours.size_bytes(), colours.data());
  rows_ = rows.empty() ? Buffer() : Buffer(rows.size_bytes(), rows.data());
  right_bytes_ = rows.empty() ? left_.bytes() : 0;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (colours[i][3] > 0) right_bytes_ = std::max(right_bytes_, sizeof(std::uint32_t) * (rows[i] + std::size_t{1}));
}

void PicturePair::draw(BufferView right, const PairView& view, Background background, const Canvas& canvas) {
  if (!left_) return;
  const bool has_right = right && std::size_t(right.bytes) >= right_bytes_;
  const BufferView left = left_.view();
  shader_.use();
  left.bind_storage(0);
  (has_right ? right : left).bind_storage(1);
  (rows_ ? rows_.view() : left).bind_storage(2);
  shader_.set("size", size_);
  shader_.set("canvas_origin", glm::vec2(canvas.origin));
  shader_.set("tile_origin", glm::vec2(canvas.tile_origin));
  shader_.set("canvas_height", float(canvas.whole().y));
  shader_.set("corner", view.corner);
  shader_.set("scale", view.scale);
  shader_.set("divider", view.divider);
  shader_.set("has_right", has_right);
  shader_.set("has_rows", bool(rows_));
  const glm::vec3 under = to_float(background_colour(background)), ink = to_float(ink_colour(background));
  shader_.set("ground[0]", glm::mix(under, ink, 0.15f));
  shader_.set("ground[1]", glm::mix(under, ink, 0.25f));
  canvas.bind();
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_BLEND);
  no_attributes_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glUseProgram(0);
}

}  // namespace kinescope::render
