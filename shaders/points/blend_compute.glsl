#version 450
// The second pass of opaque points (OPAQUE: rims and halos above the uppermost disc, and in space the disc's index),
// and the only pass of translucent ones: integer sums of optical depth, and of colour times optical depth.
layout(local_size_x = 128) in;
#include "common/index.glsl"
#include "points/point.glsl"
layout(std430, binding = 3) readonly buffer Nearest { uint nearest[]; };
layout(std430, binding = 4) buffer Winners { uint winners[]; };
layout(std430, binding = 5) buffer Sums { uint sums[]; };  // [pixels × 4]

uniform float fixed_point;  // chosen so that the sum over all points fits in 32 bits

void add(int at, vec3 colour, float cover) {
  const float weight = fixed_point * optical_depth(cover);
  const uvec4 amount = uvec4(weight * vec4(colour, 1) + 0.5);
  if (amount.a == 0u) return;
  atomicAdd(sums[4 * at], amount.r);
  atomicAdd(sums[4 * at + 1], amount.g);
  atomicAdd(sums[4 * at + 2], amount.b);
  atomicAdd(sums[4 * at + 3], amount.a);
}

void main() {
  const uint i = thread_index();
  Point point;
  if (i >= count || !load_point(i, point)) return;
  const ivec2 size = ivec2(canvas_size);
#ifdef OPAQUE
  const uint own = rank(point, i);
#endif
#ifdef SINGLE_PIXEL
  const ivec2 low = ivec2(floor(point.pixel));
  if (any(lessThan(low, ivec2(0))) || any(greaterThanEqual(low, size))) return;
  const ivec2 high = low;
#else
  const ivec2 low = max(ivec2(floor(point.pixel - point.reach)), ivec2(0));
  const ivec2 high = min(ivec2(floor(point.pixel + point.reach)), size - 1);
#endif
  for (int y = low.y; y <= high.y; ++y)
    for (int x = low.x; x <= high.x; ++x) {
      const int at = y * size.x + x;
#ifdef SINGLE_PIXEL
      const float cover = 1, whole = 1;
#else
      const float away = distance(vec2(x, y) + 0.5, point.pixel);
      const float cover = coverage(point, away), whole = point.radius - 0.5 >= away ? 1 : 0;
#endif
#ifdef OPAQUE
      if (whole > 0) {
        if (dimensions == 3 && nearest[at] == own) atomicMax(winners[at], i + 1u);
      } else if (cover > 0 && own > nearest[at]) {
        add(at, point.colour, cover);
      }
#else
      if (cover > 0) add(at, point.colour, cover * opacity);
#endif
    }
}
