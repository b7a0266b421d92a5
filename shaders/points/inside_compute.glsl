#version 450
// Finds the visible points inside a polygon of pixels (even-odd rule): one bit per point.
layout(local_size_x = 128) in;
#include "common/index.glsl"
#include "points/point.glsl"
layout(std430, binding = 3) buffer Inside { uint inside[]; };
layout(std430, binding = 4) readonly buffer Corners { vec2 corners[]; };
uniform int corner_count;

void main() {
  const uint i = thread_index();
  Point point;
  if (i >= count || !load_point(i, point)) return;
  bool is_inside = false;
  vec2 a = corners[corner_count - 1];
  for (int k = 0; k < corner_count; ++k) {
    const vec2 b = corners[k];
    if ((a.y > point.pixel.y) != (b.y > point.pixel.y) &&
        point.pixel.x < a.x + (point.pixel.y - a.y) / (b.y - a.y) * (b.x - a.x))
      is_inside = !is_inside;
    a = b;
  }
  if (is_inside) atomicOr(inside[i >> 5], 1u << (i & 31u));
}
