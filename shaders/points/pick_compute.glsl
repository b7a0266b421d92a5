#version 450
// What lies under the cursor, in two passes: the best score of all points, then who has it.
layout(local_size_x = 128) in;
#include "common/index.glsl"
#include "points/point.glsl"
layout(std430, binding = 3) buffer Best { uint best_score, best_index; };  // 0: nothing
uniform vec2 cursor;
uniform float hover_reach;

// Discs that hold the cursor come before all others, the uppermost first; then the nearest.
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
