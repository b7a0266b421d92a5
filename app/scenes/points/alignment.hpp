// Lays one layout over another of the same rows, so that two pictures can be compared. It is turned, mirrored and moved
// such that its points come as near as possible to the other's (orthogonal Procrustes, P. Schönemann 1966). It keeps
// its scale, because its distances stand for those of the data: a layout that shows them too small stays small.
#pragma once

#include <cstdint>
#include <glm/mat4x4.hpp>
#include <optional>
#include <span>

#include "render/camera.hpp"
#include "render/gl/readback.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::app {

// `points` and `onto` are [rows × dimensions], 2 or 3; rows with a number that is not finite in either are ignored. Of
// many rows only a regular sample of at most 65,536 is used. Returns the identity if fewer than two rows are left.
// O(rows).
glm::mat4 alignment(std::span<const float> points, std::span<const float> onto, int dimensions);

// A corner of the box; the bits 1, 2 and 4 are set if its x, y and z are the high ones.
glm::vec3 corner_of(const render::Bounds& box, int bits);
// The smallest box around the transformed box, and around both boxes.
render::Bounds transformed(const glm::mat4& matrix, const render::Bounds& bounds);
render::Bounds united(const render::Bounds& a, const render::Bounds& b);

// Keeps up to date the alignment of two layouts whose points move, in OpenGL's buffers. The points are copied back from
// the GPU without waiting.
class Aligner {
 public:
  // One of the two layouts; `generation` changes with its points.
  struct Points {
    const render::PointBuffers& points;
    std::uint64_t generation;
  };
  // Call once a frame. `wait`: waits for the result, for pictures that must depend on their frame's number alone.
  void update(const Points& layout, const Points& onto, double now, bool wait);
  const glm::mat4& matrix() const { return matrix_; }
  bool moving() const { return reading_ || stale_; }
  void forget();

 private:
  bool request(const Points& layout, const Points& onto);

  std::optional<render::Readback> readbacks_[2];
  std::size_t bytes_ = 0;
  int dimensions_ = 2;
  std::uint64_t generations_[2] = {0, 0};
  bool reading_ = false, stale_ = false;
  double aligned_at_ = -1;
  glm::mat4 matrix_{1};
};

}  // namespace kinescope::app
