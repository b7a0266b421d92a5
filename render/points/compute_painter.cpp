#include <algorithm>
#include <cmath>

#include "render/gl/mapping.hpp"
#include "render/points/host_passes.hpp"

namespace kinescope::render {

namespace {

// Clears only the part in use, so that a buffer that has grown for one large picture does not slow down later frames.
void clear_part(const Buffer& buffer, std::size_t bytes) {
  const GLuint zero = 0;
  glClearNamedBufferSubData(buffer.name(), GL_R32UI, 0, GLsizeiptr(bytes), GL_RED_INTEGER, GL_UNSIGNED_INT, &zero);
}

}  // namespace

ComputePainter::ComputePainter(bool on_host)
    : on_host_(on_host ? std::make_unique<HostPasses>() : nullptr),
      discs_{Shader({"points/nearest_compute.glsl"}), Shader({"points/blend_compute.glsl"}, {"OPAQUE"}),
             Shader({"points/blend_compute.glsl"})},
      pixels_{Shader({"points/nearest_compute.glsl"}, {"SINGLE_PIXEL"}),
              Shader({"points/blend_compute.glsl"}, {"OPAQUE", "SINGLE_PIXEL"}),
              Shader({"points/blend_compute.glsl"}, {"SINGLE_PIXEL"})},
      resolve_({"points/screen_vertex.glsl", "points/resolve_fragment.glsl"}) {
  GLint largest = 0;
  glGetIntegerv(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &largest);
  most_pixels_ = std::size_t(std::max(largest, 1 << 24)) / 16;
}

ComputePainter::~ComputePainter() = default;

void ComputePainter::draw(const PointFrame& frame) {
  const std::size_t width = std::size_t(frame.canvas.size.x);
  const int rows = int(std::max<std::size_t>(most_pixels_ / std::max<std::size_t>(width, 1), 1));
  for (int y = 0; y < frame.canvas.size.y; y += rows)
    draw_part(frame.part({0, y}, {frame.canvas.size.x, std::min(rows, frame.canvas.size.y - y)}));
  PointFrame::end_drawing();
}

void ComputePainter::draw_part(const PointFrame& frame) {
  const std::size_t pixels = frame.pixels();
  const bool opaque = frame.opacity >= 1, in_space = frame.points.dimensions == 3;
  const bool has_discs = opaque, has_sums = !opaque || !frame.single_pixel();
  const GLbitfield flags = on_host_ ? GL_MAP_READ_BIT | GL_MAP_WRITE_BIT : 0;
  nearest_.reserve(opaque ? 4 * pixels : 4, flags);
  winners_.reserve(opaque && in_space ? 4 * pixels : 4, flags);
  sums_.reserve(has_sums ? 16 * pixels : 16, flags);
  constexpr double most = 4294967040.0;  // 2^32, less float's rounding
  const float fixed_point = frame.fixed_point(most);
  if (on_host_)
    run_on_host(frame, has_sums, fixed_point);
  else
    run_shaders(frame, has_sums, fixed_point);
  nearest_.bind_storage(3);
  winners_.bind_storage(4);
  sums_.bind_storage(5);

  frame.begin_drawing();
  frame.bind(resolve_);
  resolve_.set("has_discs", has_discs);
  resolve_.set("has_sums", has_sums);
  resolve_.set("fixed_point", fixed_point);
  no_attributes_.bind();
  glDrawArrays(GL_TRIANGLES, 0, 3);
}

void ComputePainter::run_shaders(const PointFrame& frame, bool has_sums, float fixed_point) {
  const std::size_t pixels = frame.pixels();
  const bool opaque = frame.opacity >= 1, in_space = frame.points.dimensions == 3;
  if (opaque) clear_part(nearest_, 4 * pixels);
  if (opaque && in_space) clear_part(winners_, 4 * pixels);
  if (has_sums) clear_part(sums_, 16 * pixels);
  nearest_.bind_storage(3);
  winners_.bind_storage(4);
  sums_.bind_storage(5);
  Programs& programs = frame.single_pixel() ? pixels_ : discs_;
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  if (opaque) {
    frame.bind(programs.nearest);
    programs.nearest.dispatch(frame.points.count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  }
  if (has_sums || in_space) {
    Shader& blend = opaque ? programs.blend_opaque : programs.blend_translucent;
    frame.bind(blend);
    blend.set("fixed_point", fixed_point);
    blend.dispatch(frame.points.count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  }
}

void ComputePainter::run_on_host(const PointFrame& frame, bool has_sums, float fixed_point) {
  const std::size_t bytes = 4 * frame.pixels();
  const bool opaque = frame.opacity >= 1, in_space = frame.points.dimensions == 3;
  glFinish();  // Mesa 22 does not wait, before it maps a buffer, for fragment shaders that read it as storage
  const HostSpace nearest(nearest_, opaque ? bytes : 4), winners(winners_, opaque && in_space ? bytes : 4),
      sums(sums_, has_sums ? 4 * bytes : 16);
  HostPasses::Output output{.fixed_point = fixed_point};
  if (opaque) output.nearest = nearest.as<std::uint32_t>();
  if (opaque && in_space) output.winners = winners.as<std::uint32_t>();
  if (has_sums) output.sums = sums.as<std::uint32_t>();
  on_host_->run(frame, output);
}

}  // namespace kinescope::render
