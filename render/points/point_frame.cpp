#include "render/points/point_frame.hpp"

#include <algorithm>
#include <cmath>

namespace kinescope::render {

namespace {
#include "shaders/points/reach.glsl"
}

float style_scale(const Canvas& canvas, float asked) {
  const glm::vec2 size(canvas.whole());
  return asked > 0 ? asked : std::sqrt(size.x * size.y / (1280.0f * 720.0f));
}

void set_columns(Shader& shader, const PointBuffers& points) {
  points.positions.bind_storage(0);
  shader.set("stride", std::uint32_t(points.row()));
  shader.set("columns_xy", glm::ivec2(points.columns[0], points.columns[1]));
  shader.set("column_z", points.dimensions == 3 ? points.columns[2] : -1);
}

void set_view(Shader& shader, const glm::mat4& clip_from_world, const Canvas& canvas) {
  shader.set("clip_from_world", clip_from_world);
  shader.set("picture_size", glm::vec2(canvas.whole()));
  shader.set("tile_origin", glm::vec2(canvas.tile_origin));
  shader.set("canvas_size", glm::vec2(canvas.size));
}

void PointFrame::bind(Shader& shader) const {
  shader.use();
  set_columns(shader, points);
  (points.emphasis ? points.emphasis : colours).bind_storage(1);
  colours.bind_storage(2);
  shader.set("count", std::uint32_t(points.count));
  shader.set("dimensions", points.dimensions);
  shader.set("has_emphasis", bool(points.emphasis));
  set_view(shader, clip_from_world, canvas);
  shader.set("canvas_origin", canvas.origin);
  shader.set("radius", radius);
  shader.set("opacity", opacity);
  shader.set("ink", to_float(ink_colour(background)));
}

void PointFrame::begin_drawing(int margin) const {
  glBindFramebuffer(GL_FRAMEBUFFER, canvas.framebuffer);
  glViewport(canvas.origin.x - margin, canvas.origin.y - margin, canvas.size.x + 2 * margin,
             canvas.size.y + 2 * margin);
  glScissor(canvas.origin.x, canvas.origin.y, canvas.size.x, canvas.size.y);
  glEnable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
}

void PointFrame::end_drawing() {
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glDisable(GL_DEPTH_TEST);
  glUseProgram(0);
}

void PointFrame::draw_picture(Shader& copy, const Texture& picture) const {
  begin_drawing();
  copy.use();
  copy.set("canvas_origin", canvas.origin);
  picture.bind(0);
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

PointFrame PointFrame::into(Framebuffer& own, const FramebufferOptions& options) const {
  if (own.size() != canvas.size) own = Framebuffer(canvas.size, options);
  own.clear({0, 0, 0, 0});
  PointFrame frame = *this;
  frame.canvas = {own.name(), {0, 0}, canvas.size, canvas.whole(), canvas.tile_origin, canvas.scale};
  return frame;
}

float PointFrame::largest_reach() const {
  return highlighted_reach(radius);
}

float PointFrame::fixed_point(double most) const {
  const double deepest = -std::log(1 - std::min(double(opacity), HEAVIEST));
  const double each = std::max(deepest, 1e-6);
  return float(std::min(65536.0, (most / double(std::max<std::size_t>(points.count, 1)) - 0.5) / each * 0.999));
}

PointFrame PointFrame::part(glm::ivec2 origin, glm::ivec2 size) const {
  PointFrame part = *this;
  part.canvas.picture_size = canvas.whole();
  part.canvas.origin += origin;
  part.canvas.tile_origin += origin;
  part.canvas.size = size;
  return part;
}

}  // namespace kinescope::render
