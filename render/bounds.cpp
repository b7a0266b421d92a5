#include "render/bounds.hpp"

#include <bit>

#include "render/point_frame.hpp"
#include "sim/core/error.hpp"

namespace kinescope::render {

namespace {

constexpr std::size_t box_bytes = 6 * sizeof(std::uint32_t);

// The inverse of bounds_compute.glsl's ordered().
float from_ordered(std::uint32_t bits) {
  return std::bit_cast<float>(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
}

}  // namespace

BoundsFinder::BoundsFinder() : shader_({"points/bounds_compute.glsl"}), result_(box_bytes) {
  constexpr GLbitfield flags = GL_MAP_READ_BIT | GL_MAP_PERSISTENT_BIT | GL_MAP_COHERENT_BIT;
  readback_ = Buffer(box_bytes, flags | GL_CLIENT_STORAGE_BIT);
  mapped_ = static_cast<const std::uint32_t*>(glMapNamedBufferRange(readback_.name(), 0, box_bytes, flags));
  if (!mapped_) throw sim::run_error("out of memory for reading back the points' bounds");
}

void BoundsFinder::start(const PointBuffers& points) {
  result_.clear();
  if (points.count > 0 && points.positions) {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    shader_.use();
    shader_.set("count", std::uint32_t(points.count));
    set_columns(shader_, points);
    shader_.set("has_emphasis", bool(points.emphasis));
    (points.emphasis ? points.emphasis : points.positions).bind_storage(1);
    glBindBufferBase(GL_SHADER_STORAGE_BUFFER, 3, result_.name());
    shader_.dispatch(points.count);
    glUseProgram(0);
  }
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glCopyNamedBufferSubData(result_.name(), readback_.name(), 0, 0, box_bytes);
  glMemoryBarrier(GL_CLIENT_MAPPED_BUFFER_BARRIER_BIT);
  fence_ = Fence::place();
}

Bounds BoundsFinder::result() const {
  Bounds bounds;
  if (mapped_[0] == 0) return bounds;
  for (int axis = 0; axis < 3; ++axis) {
    bounds.high[axis] = from_ordered(mapped_[axis]);
    bounds.low[axis] = from_ordered(~mapped_[axis + 3]);
  }
  return bounds;
}

bool BoundsFinder::request(const PointBuffers& points) {
  if (fence_) return false;
  start(points);
  return true;
}

std::optional<Bounds> BoundsFinder::take() {
  if (!fence_ || !fence_.signalled()) return std::nullopt;
  fence_.reset();
  return result();
}

Bounds BoundsFinder::now(const PointBuffers& points) {
  start(points);
  fence_.wait();
  fence_.reset();
  return result();
}

}  // namespace kinescope::render
