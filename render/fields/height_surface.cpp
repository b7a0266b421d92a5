#include "render/fields/height_surface.hpp"

#include <vector>

namespace kinescope::render {
namespace {

constexpr int most_side = 768;  // vertices per side that are drawn

}  // namespace

HeightSurface::HeightSurface()
    : shader_({"surface/surface_vertex.glsl", "surface/surface_fragment.glsl"}),
      copy_({"points/screen_vertex.glsl", "points/copy_fragment.glsl"}) {}

void HeightSurface::draw(const HeightField& field, const glm::mat4& clip_from_world, const SurfaceStyle& style,
                         const Canvas& canvas) {
  const GLsizeiptr needed = 4 * GLsizeiptr(field.nodes) * field.nodes;
  if (!field.values || field.nodes < 2 || field.values.bytes < needed || canvas.size.x < 1 || canvas.size.y < 1) return;
  if (!target_ || target_.size() != canvas.size) target_ = Framebuffer(canvas.size, {.depth = true, .samples = 4});
  const std::vector<std::uint32_t> palette = packed(style.colours);
  palette_.reserve(4 * palette.size());
  palette_.write(0, 4 * palette.size(), palette.data());

  const int stride = (field.nodes - 1) / most_side + 1, side = (field.nodes - 1) / stride + 1;
  target_.bind();
  target_.clear({0, 0, 0, 0});
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDisable(GL_BLEND);
  shader_.use();
  field.values.bind_storage(0);
  glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 1, palette_.name());
  shader_.set("clip_from_world", clip_from_world);
  shader_.set("picture_size", glm::vec2(canvas.whole()));
  shader_.set("tile_origin", glm::vec2(canvas.tile_origin));
  shader_.set("canvas_size", glm::vec2(canvas.size));
  shader_.set("nodes", field.nodes);
  shader_.set("stride", stride);
  shader_.set("spacing", field.spacing);
  shader_.set("height", field.height);
  shader_.set("low", style.low);
  shader_.set("high", style.high);
  no_attributes_.bind();
  // One strip for each row.
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * side, side - 1);
  glDisable(GL_DEPTH_TEST);
  target_.resolve();

  canvas.bind();
  glScissor(canvas.origin.x, canvas.origin.y, canvas.size.x, canvas.size.y);
  glEnable(GL_SCISSOR_TEST);
  glEnable(GL_BLEND);
  glBlendEquation(GL_FUNC_ADD);
  glBlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  copy_.use();
  copy_.set("canvas_origin", canvas.origin);
  target_.colour().bind(0);
  glDrawArrays(GL_TRIANGLES, 0, 3);
  glDisable(GL_BLEND);
  glDisable(GL_SCISSOR_TEST);
  glUseProgram(0);
}

}  // namespace kinescope::render
