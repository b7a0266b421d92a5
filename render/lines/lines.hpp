// Lines through vertices in a buffer: paths, trails, curves. Antialiased, with a width in pixels, fading from the last
// vertex to the first; drawn in the order of their indices, without a depth test.
//
//   Lines lines;
//   lines.draw(vertices, camera.clip_from_world(), style, canvas);   // each frame
//
//   Trails trails(64, 2000);       // the latest 64 places of at most 2000 points
//   trails.push(points);           // when they have moved; copied on the GPU
//   lines.draw(trails.lines(points), ...);
#pragma once

#include <array>
#include <cstdint>
#include <glm/mat4x4.hpp>
#include <optional>
#include <vector>

#include "render/colour_map.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shader.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::render {

// Vertex v of line l begins at float l · line_stride + ((first + v) mod capacity) · vertex_stride.
struct LineBuffers {
  BufferView positions;                 // float32, finite
  int dimensions = 2;                   // 2 or 3
  std::array<int, 3> columns{0, 1, 2};  // which of a vertex's numbers are x, y and z; −1: 0 for all vertices
  std::size_t lines = 0, vertices = 0;  // vertices of each line
  std::size_t line_stride = 0, vertex_stride = 0;
  std::size_t capacity = 0, first = 0;  // the ring of each line's vertices, and its oldest; capacity 0: `vertices`
  BufferView classes;                   // uint32; line l's is number l · class_stride; none: all have `uniform`
  std::size_t class_stride = 1;
};

struct LineStyle {
  Rgb uniform{0x56, 0xb4, 0xe9};  // for lines without a class, or with `no_class`
  std::vector<Rgb> class_colours;
  std::vector<bool> hidden_classes;
  float width = 1.5f;     // pixels of a picture of 1280 × 720
  float opacity = 1;      // at the last vertex
  float tail = 1;         // opacity at the first vertex, as a fraction of `opacity`
  float pixel_scale = 0;  // as in PointStyle
};

class Lines {
 public:
  Lines();
  void draw(const LineBuffers& lines, const glm::mat4& clip_from_world, const LineStyle& style, const Canvas& canvas);

 private:
  Shader shader_;
  Buffer palette_;
  VertexArray no_attributes_;
};

// The latest places of some points, in a ring on the GPU.
class Trails {
 public:
  // Keeps `length` places of at most `most` points, chosen evenly by index.
  Trails(std::size_t length, std::size_t most);

  void clear() { held_ = 0; }
  // Stores where the points are now. If their count or their row width has changed, earlier places are dropped first.
  void push(const PointBuffers& points);
  // The kept places as lines. If `points` has classes, each line has the class of its point.
  LineBuffers lines(const PointBuffers& points) const;
  std::size_t length() const { return held_; }

 private:
  std::size_t capacity_, most_;
  std::size_t next_ = 0, held_ = 0, lines_ = 0, step_ = 1, row_ = 0, count_ = 0;
  Buffer places_;
  Shader gather_;
};

}  // namespace kinescope::render
