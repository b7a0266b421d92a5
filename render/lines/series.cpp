#include "render/lines/series.hpp"

namespace kinescope::render {

void SeriesVertices::take(const Series& series) {
  vertices_ = 0;
  const auto too_short = [&](const BufferView& numbers) {
    return numbers && std::size_t(numbers.bytes) / sizeof(float) < series.count;
  };
  if (!series.y || series.count == 0) return;
  if (too_short(series.y) || too_short(series.minus) || too_short(series.x)) return;
  const bool pairs = series.count > most_ && !series.x;
  const std::size_t groups = pairs ? most_ / 2 : most_;
  stretch_ = (series.count + groups - 1) / groups;
  if (series.count <= most_) stretch_ = 1;
  const std::size_t threads = (series.count + stretch_ - 1) / stretch_;
  vertices_ = pairs ? 2 * threads : threads;
  places_.reserve(2 * vertices_ * sizeof(float));
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  shader_.use();
  series.y.bind_storage(0);
  (series.x ? series.x : series.y).bind_storage(1);
  (series.minus ? series.minus : series.y).bind_storage(2);
  places_.bind_storage(3);
  shader_.set("count", std::uint32_t(series.count));
  shader_.set("stretch", std::uint32_t(stretch_));
  shader_.set("pairs", pairs);
  shader_.set("has_x", bool(series.x));
  shader_.set("has_minus", bool(series.minus));
  shader_.set("start", float(series.start));
  shader_.set("step_x", float(series.step));
  shader_.dispatch(threads);
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT);
  glUseProgram(0);
}

LineBuffers SeriesVertices::line() const {
  LineBuffers line;
  if (vertices_ == 0) return line;
  line.positions = places_.view();
  line.lines = 1;
  line.vertices = vertices_;
  line.vertex_stride = 2;
  return line;
}

PointBuffers SeriesVertices::points() const {
  PointBuffers points;
  if (vertices_ == 0) return points;
  points.positions = places_.view();
  points.count = vertices_;
  return points;
}

}  // namespace kinescope::render
