// Numbers along a line as vertices in the plane, on the GPU: what curves and dots are drawn from (lines.hpp,
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
  BufferView y;      // float32 [count]
  BufferView minus;  // float32 [count], taken from y; none: nothing
  BufferView x;      // float32 [count]; none: start, start + step, ...
  std::size_t count = 0;
  double start = 0, step = 1;
};

class SeriesVertices {
 public:
  // At most `most` vertices: of more numbers each two vertices show the least and the largest of a stretch, or, where x
  // is given, every so many-th number is shown. Numbers that are not finite lie at ±1e6.
  explicit SeriesVertices(std::size_t most = 8192) : most_(most), shader_({"series/series_compute.glsl"}) {}

  void take(const Series& series);
  LineBuffers line() const;
  PointBuffers points() const;
  bool whole() const { return stretch_ == 1; }  // each number has its vertex

 private:
  std::size_t most_, vertices_ = 0, stretch_ = 1;
  Shader shader_;
  Buffer places_;
};

}  // namespace kinescope::render
