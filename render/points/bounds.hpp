// The box around points in OpenGL buffers, computed on the GPU.
#pragma once

#include <optional>

#include "render/camera.hpp"
#include "render/gl/readback.hpp"
#include "render/gl/shader.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::render {

// Ignores points with Emphasis::hidden, and points with a NaN or infinite coordinate. O(points).
class BoundsFinder {
 public:
  BoundsFinder();

  // Starts computing, without waiting; returns false and starts nothing while an earlier request is under way.
  bool request(const PointBuffers& points);
  // The answer to request(), once it has arrived.
  std::optional<Bounds> take();
  void forget() { readback_.forget(); }  // cancels the request: the points, or their columns, have changed
  // Computes at once and waits for the GPU: for frames that must not depend on time (headless, fixed pace).
  Bounds now(const PointBuffers& points);

 private:
  void start(const PointBuffers& points);

  Shader shader_;
  Buffer result_;
  Readback readback_;
};

}  // namespace kinescope::render
