// Turns numbers along a line into vertices in the plane, on the GPU; curves and dots are drawn from them (lines.hpp,
// point_cloud.hpp).
//
//   SeriesVertices vertices;
//   vertices.take({.y = shared.view("v"), .count = nodes, .step = dx});
//   lines.draw(vertices.line(), clip_from_data, style, canvas);
#pragma once

#include <cstddef>

#include "render/gl/objects.hpp"
#include "render/gl/shader.hpp"
#include "render/lines/lines.hpp"
#include "render/points/point_cloud.hpp"

namespace kinescope::render {

struct Series {
  BufferView y;           // float32 [count]
  BufferView minus;       // float32 [count], subtracted from y; none: nothing is subtracted
  BufferView x;           // float32 [count]; none: start, start + step, ...
  std::size_t count = 0;  // if one of the buffers holds fewer numbers, no vertices are made
  double start = 0, step = 1;
};

class SeriesVertices {
 public:
  // Makes at most `most` vertices. If there are more numbers, two vertices show the smallest and the largest of each
  // stretch of numbers; if x is given, numbers are skipped at regular steps instead. Numbers are clamped to ±1e6, and a
  // NaN is drawn at 1e6.
  explicit SeriesVertices(std::size_t most = 8192) : most_(most), shader_({"series/series_compute.glsl"}) {}

  void take(const Series& series);
  LineBuffers line() const;
  PointBuffers points() const;
  bool whole() const { return stretch_ == 1; }  // whether each number has its own vertex

 private:
  std::size_t most_, vertices_ = 0, stretch_ = 1;
  Shader shader_;
  Buffer places_;
};

}  // namespace kinescope::render
