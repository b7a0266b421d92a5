// The box around points that are in OpenGL buffers, computed there.
#pragma once

#include <optional>

#include "render/camera.hpp"
#include "render/gl/readback.hpp"
#include "render/gl/shader.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::render {

// Ignores points that are absent or have a NaN or infinite coordinate. O(points).
class BoundsFinder {
 public:
  BoundsFinder();

  // Starts computing, without waiting; false, and nothing is started, while an earlier request is under way.
  bool request(const PointBuffers& points);
  // What request() asked for, once it has arrived.
  std::optional<Bounds> take();
  void forget() { readback_.forget(); }  // what was asked for: other points, or other columns of them
  // At once, waiting for the GPU: where frames must not depend on time (headless, fixed pace).
  Bounds now(const PointBuffers& points);

 private:
  void start(const PointBuffers& points);

  Shader shader_;
  Buffer result_;
  Readback readback_;
};

}  // namespace kinescope::render
