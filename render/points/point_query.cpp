#include <algorithm>
#include <bit>

#include "render/points/point_frame.hpp"

namespace kinescope::render {

namespace {

// Converts a pixel counted from the canvas's upper left corner, y down, to the shaders' pixels, which count y up.
glm::vec2 upwards(const PointFrame& frame, glm::vec2 pixel) {
  return {pixel.x, float(frame.canvas.size.y) - pixel.y};
}

}  // namespace

PointQuery::PointQuery()
    : score_({"points/pick_compute.glsl"}),
      who_({"points/pick_compute.glsl"}, {"WHO"}),
      inside_({"points/inside_compute.glsl"}),
      best_(8),
      readback_(8) {}

std::uint64_t PointQuery::request(const PointFrame& frame, glm::vec2 pixel, float reach) {
  if (readback_.under_way()) return 0;
  best_.clear();
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  for (Shader* pass : {&score_, &who_}) {
    frame.bind(*pass);
    pass->set("cursor", upwards(frame, pixel));
    pass->set("hover_reach", reach);
    best_.bind_storage(3);
    pass->dispatch(frame.points.count);
    glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  }
  readback_.request(best_.name());
  glUseProgram(0);
  return ++request_;
}

std::optional<Pick> PointQuery::take(bool wait) {
  const std::uint32_t* words = readback_.take(wait);
  if (!words) return std::nullopt;
  Pick pick{std::nullopt, request_};
  if (words[0] != 0) pick.index = words[1] - 1;
  return pick;
}

std::vector<std::uint32_t> PointQuery::inside(const PointFrame& frame, std::span<const glm::vec2> polygon) {
  std::vector<std::uint32_t> indices;
  if (polygon.size() < 3 || frame.points.count == 0) return indices;
  std::vector<glm::vec2> corners;
  for (const glm::vec2 corner : polygon) corners.push_back(upwards(frame, corner));
  corners_ = Buffer(corners.size() * sizeof(glm::vec2), corners.data());
  std::vector<std::uint32_t> mask((frame.points.count + 31) / 32);
  mask_.reserve(4 * mask.size());
  mask_.clear();
  glMemoryBarrier(GL_SHADER_STORAGE_BARRIER_BIT | GL_BUFFER_UPDATE_BARRIER_BIT);
  frame.bind(inside_);
  inside_.set("corner_count", int(corners.size()));
  mask_.bind_storage(3);
  corners_.bind_storage(4);
  inside_.dispatch(frame.points.count);
  glMemoryBarrier(GL_BUFFER_UPDATE_BARRIER_BIT);
  glUseProgram(0);
  mask_.read(0, 4 * mask.size(), mask.data());
  for (std::size_t word = 0; word < mask.size(); ++word)
    for (std::uint32_t bits = mask[word]; bits != 0; bits &= bits - 1)
      indices.push_back(std::uint32_t(32 * word) + std::uint32_t(std::countr_zero(bits)));
  return indices;
}

}  // namespace kinescope::render
