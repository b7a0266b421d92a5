#include "app/scenes/points/alignment.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/vec4.hpp>

#include "sim/glimmer/orientation.hpp"

namespace kinescope::app {
namespace {

constexpr std::size_t most_rows = 65'536;
constexpr double seconds_between_turns = 0.1;  // at least this much time between two alignments

template <int L>
glm::mat4 alignment_of(std::span<const float> points, std::span<const float> onto) {
  const std::size_t rows = std::min(points.size(), onto.size()) / L, stride = rows / most_rows + 1;
  using Sums = sim::glimmer::OrientationSums<L>;
  Sums sums;
  for (std::size_t row = 0; row < rows; row += stride) {
    float t[L], x[L];
    bool finite = true;
    for (int c = 0; c < L; ++c) {
      t[c] = onto[row * L + c];
      x[c] = points[row * L + c];
      finite = finite && std::isfinite(t[c]) && std::isfinite(x[c]);
    }
    if (finite) sums = sums + Sums::of(t, x);
  }
  if (sums.count < 2) return glm::mat4(1);
  sim::glimmer::Orientation<L> turn;
  sim::glimmer::FinishOrientation<L>{&turn}(sums);

  glm::mat4 matrix(1);
  for (int r = 0; r < L; ++r) {
    double moved = sums.t[r] / sums.count;
    for (int c = 0; c < L; ++c) {
      matrix[c][r] = float(turn.rotation[r][c]);
      moved -= turn.rotation[r][c] * turn.centre[c];
    }
    matrix[3][r] = float(moved);
  }
  return matrix;
}

}  // namespace

glm::mat4 alignment(std::span<const float> points, std::span<const float> onto, int dimensions) {
  return dimensions == 3 ? alignment_of<3>(points, onto) : alignment_of<2>(points, onto);
}

glm::vec3 corner_of(const render::Bounds& box, int bits) {
  return {bits & 1 ? box.high.x : box.low.x, bits & 2 ? box.high.y : box.low.y, bits & 4 ? box.high.z : box.low.z};
}

render::Bounds transformed(const glm::mat4& matrix, const render::Bounds& bounds) {
  if (bounds.empty()) return bounds;
  render::Bounds around;
  for (int bits = 0; bits < 8; ++bits) {
    const glm::vec3 at = matrix * glm::vec4(corner_of(bounds, bits), 1);
    around = united(around, {at, at});
  }
  return around;
}

render::Bounds united(const render::Bounds& a, const render::Bounds& b) {
  if (a.empty() || b.empty()) return a.empty() ? b : a;
  return {glm::min(a.low, b.low), glm::max(a.high, b.high)};
}

void Aligner::forget() {
  for (auto& readback : readbacks_) readback.reset();
  bytes_ = 0;
  generations_[0] = generations_[1] = 0;
  reading_ = stale_ = false;
  aligned_at_ = -1;
  matrix_ = glm::mat4(1);
}

bool Aligner::request(const Points& layout, const Points& onto) {
  const std::size_t bytes = layout.points.count * layout.points.row() * sizeof(float);
  if (bytes == 0 || layout.points.count != onto.points.count || layout.points.row() != onto.points.row()) return false;
  if (bytes != bytes_)
    for (auto& readback : readbacks_) readback.emplace(bytes);
  bytes_ = bytes;
  dimensions_ = int(layout.points.row());
  for (int side : {0, 1}) {
    const Points& of = side == 0 ? layout : onto;
    readbacks_[side]->request(of.points.positions.buffer, of.points.positions.offset);
    generations_[side] = of.generation;
  }
  return true;
}

void Aligner::update(const Points& layout, const Points& onto, double now, bool wait) {
  stale_ = layout.generation != generations_[0] || onto.generation != generations_[1];
  if (!reading_ && stale_ && (wait || now >= aligned_at_ + seconds_between_turns)) {
    reading_ = request(layout, onto);
    aligned_at_ = now;
  }
  if (!reading_) return;
  // The last request is answered last.
  const std::uint32_t* last = readbacks_[1]->take(wait);
  if (!last) return;
  reading_ = false;
  const std::uint32_t* first = readbacks_[0]->take(true);
  const std::size_t count = bytes_ / sizeof(float);
  matrix_ = alignment({reinterpret_cast<const float*>(first), count}, {reinterpret_cast<const float*>(last), count},
                      dimensions_);
}

}  // namespace kinescope::app
