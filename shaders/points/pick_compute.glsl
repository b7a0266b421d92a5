#version 450
// Finds the point under the cursor in two passes: first the best score of all points, then the point that has it.
layout(local_size_x = 128) in;
#include "common/index.glsl"
#include "points/point.glsl"
layout(std430, binding = 3) buffer Best { uint best_score, best_index; };  // 0: nothing
uniform vec2 cursor;
uniform float hover_reach;

// Discs that cover the cursor beat all others, the uppermost first; then the nearest point wins.
uint score(Point point, uint i) {
  const float away = distance(cursor, point.pixel);
  if (away <= point.radius) return 0x80000000u | (dimensions == 3 ? rank(point, i) : rank(point, i) >> 1);
  if (away <= hover_reach) return max(0x7fffffffu - floatBitsToUint(away), 1u);
  return 0u;
}

void main() {
  const uint i = thread_index();
  Point point;
  if (i >= count || !load_point(i, point)) return;
  const uint own = score(point, i);
  if (own == 0u) return;
#ifdef WHO
  if (own == best_score) atomicMax(best_index, i + 1u);
#else
  if (own > best_score) atomicMax(best_score, own);
#endif
}
