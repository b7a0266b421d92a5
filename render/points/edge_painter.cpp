#include <algorithm>

#include "render/points/point_frame.hpp"

namespace kinescope::render {

EdgePainter::EdgePainter() : shader_({"points/edge_vertex.glsl", "lines/line_fragment.glsl"}) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &largest);
  constexpr std::size_t bytes_each = 2 * sizeof(std::uint32_t), alignment = 1 << 12;
  most_ = std::min<std::size_t>(std::size_t(largest), 1 << 30) / alignment * alignment / bytes_each;
}

void EdgePainter::set(std::span<const std::array<std::uint32_t, 2>> edges) {
  count_ = edges.size();
  edges_ = count_ > 0 ? Buffer(edges.size_bytes(), edges.data()) : Buffer();
}

std::vector<std::array<std::uint32_t, 2>> EdgePainter::pairs() const {
  std::vector<std::array<std::uint32_t, 2>> pairs(count_);
  if (count_ > 0) edges_.read(0, count_ * sizeof pairs[0], pairs.data());
  return pairs;
}

void EdgePainter::draw(const PointFrame& frame, float width) {
  frame.begin_drawing();
  frame.bind(shader_);
  shader_.set("half_width", 0.5f * width);
  shader_.set("edge_colour", to_float(ink_colour(frame.background)));
  no_attributes_.bind();
  constexpr std::size_t bytes_each = 2 * sizeof(std::uint32_t);
  for (std::size_t first = 0; first < count_; first += most_) {  // a storage block holds most_ edges
    const std::size_t count = std::min(most_, count_ - first);
    BufferView{edges_.name(), GLintptr(first * bytes_each), GLsizeiptr(count * bytes_each)}.bind_storage(3);
    glDrawArrays(GL_TRIANGLES, 0, GLsizei(6 * count));
  }
  PointFrame::end_drawing();
}

}  // namespace kinescope::render
