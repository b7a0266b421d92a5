// Lines through vertices in a buffer: paths, trails, curves. Antialiased, with a width in pixels, fading from the last
// vertex to the first; drawn in the order of their numbers, without depth.
//
//   Lines lines;
//   lines.draw(vertices, camera.clip_from_world(), style, canvas);   // each frame
//
//   Trails trails(64, 2000);       // the latest 64 places of at most 2000 points
//   trails.push(points);           // when they have moved; copied on the GPU
//   lines.draw(trails.lines(), ...);
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
  std::array<int, 3> columns{0, 1, 2};  // which of a vertex's numbers are x, y and z; −1: 0 throughout
  std::size_t lines = 0, vertices = 0;  // vertices of each line
  std::size_t line_stride = 0, vertex_stride = 0;
  std::size_t capacity = 0, first = 0;  // a ring; capacity 0 means as many as vertices
  BufferView classes;                   // uint32, for line l at l · class_stride; none: one colour
  std::size_t class_stride = 1;
};

struct LineStyle {
  Rgb uniform{0x56, 0xb4, 0xe9};  // for lines without a class, or of `no_class`
  std::vector<Rgb> class_colours;
  std::vector<bool> hidden_classes;
  float width = 1.5f;     // pixels of a picture of 1280 × 720
  float opacity = 1;      // at the last vertex
  float tail = 1;         // opacity at the first vertex, as a part of that at the last
  float pixel_scale = 0;  // like PointStyle's
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
  // Stores where the points are now. Another count or width of rows starts anew.
  void push(const PointBuffers& points);
  // The lines take the colours of the points in `classes` [count], if given.
  LineBuffers lines(const PointBuffers& points) const;
  std::size_t length() const { return held_; }

 private:
  std::size_t capacity_, most_;
  std::size_t next_ = 0, held_ = 0, lines_ = 0, step_ = 1, row_ = 0, count_ = 0;
  Buffer places_;
  Shader gather_;
};

}  // namespace kinescope::render
