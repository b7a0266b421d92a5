#include "render/fields/height_surface.hpp"

#include "render/points/point_frame.hpp"

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
  palette_.hold(packed(style.colours));

  const int stride = (field.nodes - 1) / most_side + 1, side = (field.nodes - 1) / stride + 1;
  target_.bind();
  target_.clear({0, 0, 0, 0});
  glEnable(GL_DEPTH_TEST);
  glDepthFunc(GL_LESS);
  glDisable(GL_BLEND);
  shader_.use();
  field.values.bind_storage(0);
  palette_.bind_storage(1);
  set_view(shader_, clip_from_world, canvas);
  shader_.set("nodes", field.nodes);
  shader_.set("stride", stride);
  shader_.set("spacing", field.spacing);
  shader_.set("height", field.height);
  shader_.set("low", style.low);
  shader_.set("high", style.high);
  no_attributes_.bind();
  // Each instance is the strip between two neighbouring rows.
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 2 * side, side - 1);
  target_.resolve();
  PointFrame{{}, clip_from_world, canvas}.draw_picture(copy_, target_.colour());
  PointFrame::end_drawing();
}

}  // namespace kinescope::render
