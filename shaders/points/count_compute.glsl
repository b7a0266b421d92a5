#version 450
// Density: how many points lie in each pixel, and the sums of their colours. The counted area reaches beyond the canvas by
// `pad` pixels, so that a blur at its edge, or at a tile's, knows its neighbours.
layout(local_size_x = 128) in;
#include "common/index.glsl"
#include "points/point.glsl"
layout(std430, binding = 3) buffer Counts { uint counts[]; };  // planes of pixels: count, and by colour r, g, b
uniform int pad;
uniform bool by_colour;

void main() {
  const uint i = thread_index();
  Point point;
  if (i >= count || !load_point(i, point)) return;
  const ivec2 size = ivec2(canvas_size) + 2 * pad;
  const ivec2 at = ivec2(floor(point.pixel)) + pad;
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size))) return;
  const int pixel = at.y * size.x + at.x, plane = size.x * size.y;
  atomicAdd(counts[pixel], 1u);
  if (by_colour) {
    const uvec3 amount = uvec3(255 * point.colour + 0.5);
    for (int c = 0; c < 3; ++c) atomicAdd(counts[(c + 1) * plane + pixel], amount[c]);
  }
}
