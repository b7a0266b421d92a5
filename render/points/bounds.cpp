#include "render/points/bounds.hpp"

#include <bit>

#include "render/points/point_frame.hpp"

namespace kinescope::render {

namespace {

constexpr std::size_t box_bytes = 6 * sizeof(std::uint32_t);

// The inverse of bounds_compute.glsl's ordered().
float from_ordered(std::uint32_t bits) {
  return std::bit_cast<float>(bits & 0x80000000u ? bits & 0x7fffffffu : ~bits);
}

Bounds box_of(const std::uint32_t* words) {
  Bounds bounds;
  if (words[0] == 0) return bounds;
  for (int axis = 0; axis < 3; ++axis) {
    bounds.high[axis] = from_ordered(words[axis]);
    bounds.low[axis] = from_ordered(~words[axis + 3]);
  }
  return bounds;
}

}  // namespace

BoundsFinder::BoundsFinder() : shader_({"points/bounds_compute.glsl"}), result_(box_bytes), readback_(box_bytes) {}

void BoundsFinder::start(const PointBuffers& points) {
  result_.clear();
  if (points.count > 0 && points.positions) {
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
    shader_.use();
    shader_.set("count", std::uint32_t(points.count));
    set_columns(shader_, points);
    shader_.set("has_emphasis", bool(points.emphasis));
    (points.emphasis ? points.emphasis : points.positions).bind_storage(1);
    result_.bind_storage(3);
    shader_.dispatch(points.count);
    glUseProgram(0);
  }
  readback_.request(result_.name());
}

bool BoundsFinder::request(const PointBuffers& points) {
  if (readback_.under_way()) return false;
  start(points);
  return true;
}

std::optional<Bounds> BoundsFinder::take() {
  const std::uint32_t* words = readback_.take();
  return words ? std::optional(box_of(words)) : std::nullopt;
}

Bounds BoundsFinder::now(const PointBuffers& points) {
  start(points);
  return box_of(readback_.take(true));
}

}  // namespace kinescope::render
