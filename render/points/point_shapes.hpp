// Points and edges as shapes of a vector picture, as the painters of points would draw them. Both wait for the GPU;
// O(points), O(edges).
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <span>
#include <vector>

#include "render/points/point_frame.hpp"

namespace kinescope::render {

// What the buffer holds.
template <class T>
std::vector<T> fetched(const BufferView& view) {
  std::vector<T> values(std::size_t(view.bytes) / sizeof(T));
  view.read(0, values.size() * sizeof(T), values.data());
  return values;
}

// The frame's canvas names the picture.
void add_points(const PointFrame& frame);
void add_rings(const PointFrame& frame, std::span<const Marker> markers, float scale);
void add_edges(const PointFrame& frame, std::span<const std::array<std::uint32_t, 2>> edges, float width,
               float opacity);
// Where a pixel of the canvas, y up from its lower left corner, is in its vector picture; and the canvas's rectangle
// there.
glm::vec2 in_vectors(const Canvas& canvas, glm::vec2 pixel);
void clip_to(const Canvas& canvas);

}  // namespace kinescope::render
