#version 450
// Turns numbers along a line into vertices in the plane.
layout(local_size_x = 128) in;
#include "common/index.glsl"
layout(std430, binding = 0) readonly buffer Y { float ys[]; };
layout(std430, binding = 1) readonly buffer X { float xs[]; };
layout(std430, binding = 2) readonly buffer Minus { float taken[]; };
layout(std430, binding = 3) writeonly buffer Places { vec2 places[]; };
uniform uint count, stretch;  // stretch: how many numbers each thread reduces to its vertices
uniform bool pairs, has_x, has_minus;
uniform float start, step_x;

const float far = 1e6;

float value(uint i) {
  const float v = has_minus ? ys[i] - taken[i] : ys[i];
  return isnan(v) ? far : clamp(v, -far, far);
}

void main() {
  const uint thread = thread_index(), first = thread * stretch;
  if (first >= count) return;
  if (!pairs) {
    places[thread] = vec2(has_x ? clamp(xs[first], -far, far) : start + float(first) * step_x, value(first));
    return;
  }
  const uint end = min(first + stretch, count);
  float least = value(first), largest = least;
  for (uint i = first + 1u; i < end; ++i) {
    least = min(least, value(i));
    largest = max(largest, value(i));
  }
  const float x = start + 0.5 * float(first + end - 1u) * step_x;
  places[2u * thread] = vec2(x, largest);
  places[2u * thread + 1u] = vec2(x, least);
}
