#include "render/fields/field_picture.hpp"

#include <cmath>

#include "render/points/point_frame.hpp"

namespace kinescope::render {

FieldPicture::FieldPicture() : shader_({"field/field_vertex.glsl", "field/field_fragment.glsl"}) {}

void FieldPicture::draw(const FieldBuffer& field, const glm::mat4& clip_from_world, const FieldStyle& style,
                        const Canvas& canvas) {
  const GLsizeiptr needed = 4 * GLsizeiptr(field.size.x) * field.size.y;
  if (!field.values || needed <= 0 || field.values.bytes < needed || style.colours.empty()) return;
  if (canvas.size.x < 1 || canvas.size.y < 1) return;
  const std::vector<std::uint32_t> palette = packed(style.colours, style.hidden_classes);
  palette_.hold(palette);

  const float scale = style_scale(canvas, style.pixel_scale);
  const PointFrame frame{{}, clip_from_world, canvas};
  frame.begin_drawing();
  shader_.use();
  field.values.bind_storage(0);
  palette_.bind_storage(1);
  set_view(shader_, clip_from_world, canvas);
  shader_.set("rectangle", glm::vec4(field.low, field.high));
  shader_.set("size", field.size);
  shader_.set("palette_size", std::uint32_t(palette.size()));
  shader_.set("is_classes", field.classes);
  shader_.set("is_smooth", style.smooth);
  shader_.set("fill", style.fill);
  shader_.set("fade_in", style.fade_in);
  shader_.set("low", style.low);
  shader_.set("high", style.high);
  shader_.set("gamma", style.gamma);
  shader_.set("opacity", style.opacity);
  shader_.set("lines", float(style.lines));
  shader_.set("half_width", 0.5f * style.line_width * scale);
  shader_.set("line_colour", to_float(style.line_colour));
  shader_.set("missing", pack(style.missing.value_or(missing_colour(style.background))));
  no_attributes_.bind();
  glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
  PointFrame::end_drawing();
}

}  // namespace kinescope::render
