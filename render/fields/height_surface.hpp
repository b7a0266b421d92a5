// A field on a square grid as a lit surface in space: its numbers as heights and as colours. Reads the buffer itself;
// large grids are drawn from every so many-th number.
#pragma once

#include <glm/mat4x4.hpp>
#include <span>

#include "render/colour_map.hpp"
#include "render/gl/framebuffer.hpp"
#include "render/gl/objects.hpp"
#include "render/gl/shader.hpp"

namespace kinescope::render {

struct HeightField {
  BufferView values;  // float32 [nodes × nodes], row 0 at y = 0
  int nodes = 0;      // per side
  float spacing = 1;  // of neighbouring nodes
  float height = 1;   // of a value of 1
};

struct SurfaceStyle {
  std::span<const Rgb, 256> colours;
  float low = -1, high = 1;  // what the map spans; heights are clamped to twice that
};

class HeightSurface {
 public:
  HeightSurface();
  // Over the canvas, hidden surfaces removed, antialiased.
  void draw(const HeightField& field, const glm::mat4& clip_from_world, const SurfaceStyle& style,
            const Canvas& canvas);

 private:
  Shader shader_, copy_;
  Framebuffer target_;
  Buffer palette_;
  VertexArray no_attributes_;
};

}  // namespace kinescope::render
