#version 450
// First pass of opaque points: finds the uppermost point in each pixel that a disc covers completely.
layout(local_size_x = 128) in;
#include "common/index.glsl"
#include "points/point.glsl"
layout(std430, binding = 3) buffer Nearest { uint nearest[]; };

void main() {
  const uint i = thread_index();
  Point point;
  if (i >= count || !load_point(i, point)) return;
  const ivec2 size = ivec2(canvas_size);
  const uint own = rank(point, i);
#ifdef SINGLE_PIXEL
  const ivec2 at = ivec2(floor(point.pixel));
  if (all(greaterThanEqual(at, ivec2(0))) && all(lessThan(at, size))) atomicMax(nearest[at.y * size.x + at.x], own);
#else
  const float whole = point.radius - 0.5;  // within this distance a pixel is covered completely
  if (whole < 0) return;
  const ivec2 low = max(ivec2(floor(point.pixel - whole)), ivec2(0));
  const ivec2 high = min(ivec2(floor(point.pixel + whole)), size - 1);
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x) {
      const int at = y * size.x + x;
      if (distance(vec2(x, y) + 0.5, point.pixel) <= whole && nearest[at] < own) atomicMax(nearest[at], own);
    }
#endif
}
