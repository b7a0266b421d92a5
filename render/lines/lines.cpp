#include "render/lines/lines.hpp"

#include <algorithm>
#include <cmath>

#include "render/points/point_frame.hpp"
#include "render/points/point_shapes.hpp"
#include "render/vectors/vector_picture.hpp"

namespace kinescope::render {

namespace {

// The lines as shapes, by the rules of lines/line_vertex.glsl. A line that fades is one shape for each segment.
void add_lines(const LineBuffers& lines, const glm::mat4& clip_from_world, const LineStyle& style, float scale,
               const Canvas& canvas) {
  const auto positions = fetched<float>(lines.positions);
  const auto classes = lines.classes ? fetched<std::uint32_t>(lines.classes) : std::vector<std::uint32_t>();
  const std::size_t capacity = lines.capacity > 0 ? lines.capacity : lines.vertices;
  clip_to(canvas);
  for (std::size_t line = 0; line < lines.lines; ++line) {
    Rgb colour = style.uniform;
    if (const std::size_t at = line * lines.class_stride; at < classes.size() && !style.class_colours.empty()) {
      const std::uint32_t kind = classes[at];
      if (kind < style.hidden_classes.size() && style.hidden_classes[kind]) continue;
      if (kind != no_class) colour = style.class_colours[kind % style.class_colours.size()];
    }
    Path path{{}, style.width * scale, {colour, style.opacity}};
    for (std::size_t vertex = 0; vertex < lines.vertices; ++vertex) {
      const std::size_t at = line * lines.line_stride + (lines.first + vertex) % capacity * lines.vertex_stride;
      const auto coordinate = [&](std::size_t axis) {
        const int column = int(axis) < lines.dimensions ? lines.columns[axis] : -1;
        return column < 0 ? 0.f : positions.at(at + std::size_t(column));
      };
      const glm::vec4 clip = clip_from_world * glm::vec4(coordinate(0), coordinate(1), coordinate(2), 1);
      const glm::vec2 pixel = (0.5f * glm::vec2(clip) / clip.w + 0.5f) * glm::vec2(canvas.whole());
      path.corners.push_back(in_vectors(canvas, pixel - glm::vec2(canvas.tile_origin)));
      if (style.tail == 1 || path.corners.size() < 2) continue;
      const float age = float(vertex) / float(lines.vertices - 1);
      path.paint.opacity = style.opacity * (style.tail + (1 - style.tail) * age);
      canvas.vectors->add(path);
      path.corners.erase(path.corners.begin());
    }
    if (style.tail == 1) canvas.vectors->add(std::move(path));
  }
}

}  // namespace

Lines::Lines() : shader_({"lines/line_vertex.glsl", "lines/line_fragment.glsl"}) {}

void Lines::draw(const LineBuffers& lines, const glm::mat4& clip_from_world, const LineStyle& style,
                 const Canvas& canvas) {
  if (!lines.positions || lines.lines == 0 || lines.vertices < 2 || canvas.size.x < 1 || canvas.size.y < 1) return;
  const std::vector<std::uint32_t> palette = packed(style.class_colours, style.hidden_classes);
  const bool has_classes = lines.classes && !palette.empty();
  if (has_classes) palette_.hold(palette);

  const float scale = style_scale(canvas, style.pixel_scale);
  if (canvas.vectors && lines.lines * lines.vertices <= VectorPicture::most_vertices)
    return add_lines(lines, clip_from_world, style, scale, canvas);
  const PointFrame frame{{}, clip_from_world, canvas};
  frame.begin_drawing();
  shader_.use();
  lines.positions.bind_storage(0);
  (has_classes ? lines.classes : lines.positions).bind_storage(1);
  (has_classes ? palette_.view() : lines.positions).bind_storage(2);
  shader_.set("vertices", std::uint32_t(lines.vertices));
  shader_.set("capacity", std::uint32_t(lines.capacity > 0 ? lines.capacity : lines.vertices));
  shader_.set("first", std::uint32_t(lines.first));
  shader_.set("line_stride", std::uint32_t(lines.line_stride));
  shader_.set("vertex_stride", std::uint32_t(lines.vertex_stride));
  shader_.set("class_stride", std::uint32_t(lines.class_stride));
  shader_.set("palette_size", std::uint32_t(palette.size()));
  shader_.set("columns_xy", glm::ivec2(lines.columns[0], lines.columns[1]));
  shader_.set("column_z", lines.dimensions == 3 ? lines.columns[2] : -1);
  shader_.set("has_classes", has_classes);
  set_view(shader_, clip_from_world, canvas);
  shader_.set("half_width", 0.5f * style.width * scale);
  shader_.set("opacity", style.opacity);
  shader_.set("tail", style.tail);
  shader_.set("uniform_colour", to_float(style.uniform));
  no_attributes_.bind();
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, GLsizei(2 * lines.vertices), GLsizei(lines.lines));
  PointFrame::end_drawing();
}

Trails::Trails(std::size_t length, std::size_t most)
    : capacity_(std::max<std::size_t>(length, 2)),
      most_(std::max<std::size_t>(most, 1)),
      gather_({"lines/gather_compute.glsl"}) {}

void Trails::push(const PointBuffers& points) {
  if (!points.positions || points.count == 0) return;
  if (points.count != count_ || points.row() != row_) {
    count_ = points.count;
    row_ = points.row();
    step_ = (count_ + most_ - 1) / most_;
    lines_ = (count_ + step_ - 1) / step_;
    held_ = next_ = 0;
    places_ = Buffer(capacity_ * lines_ * row_ * sizeof(float));
  }
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  gather_.use();
  points.positions.bind_storage(0);
  places_.bind_storage(1);
  gather_.set("rows", std::uint32_t(lines_));
  gather_.set("row", std::uint32_t(row_));
  gather_.set("step_rows", std::uint32_t(step_));
  gather_.set("offset", std::uint32_t(next_ * lines_ * row_));
  gather_.dispatch(lines_ * row_);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glUseProgram(0);
  next_ = (next_ + 1) % capacity_;
  held_ = std::min(held_ + 1, capacity_);
}

LineBuffers Trails::lines(const PointBuffers& points) const {
  LineBuffers lines;
  if (held_ == 0) return lines;
  lines.positions = places_.view();
  lines.dimensions = points.dimensions;
  lines.columns = points.columns;
  lines.lines = lines_;
  lines.vertices = held_;
  lines.line_stride = row_;
  lines.vertex_stride = lines_ * row_;
  lines.capacity = capacity_;
  lines.first = (next_ + capacity_ - held_) % capacity_;
  if (points.count == count_) lines.classes = points.classes;
  lines.class_stride = step_;
  return lines;
}

}  // namespace kinescope::render
