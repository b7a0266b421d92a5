// Draws a field on a square grid as a lit surface in space: its numbers as heights and as colours. It reads the buffer
// itself. If the grid is large, it skips numbers at regular steps.
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
  float spacing = 1;  // distance between neighbouring nodes
  float height = 1;   // height of the value 1
};

struct SurfaceStyle {
  std::span<const Rgb, 256> colours;
  float low = -1, high = 1;  // values at the ends of the map; values are clamped to twice these
};

class HeightSurface {
 public:
  HeightSurface();
  // Draws over the canvas, antialiased, with hidden surfaces removed.
  void draw(const HeightField& field, const glm::mat4& clip_from_world, const SurfaceStyle& style,
            const Canvas& canvas);

 private:
  Shader shader_, copy_;
  Framebuffer target_;
  Buffer palette_;
  VertexArray no_attributes_;
};

}  // namespace kinescope::render
