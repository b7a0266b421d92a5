#version 450
// Slopes of small waves that repeat over a square: sines with whole wave numbers, mostly along x, all different.
#include "landscape/shared.glsl"
#include "landscape/noise.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rg16f, binding = 0) writeonly uniform image2D result;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(p, size))) return;
  vec2 uv = vec2(p) / vec2(size), slope = vec2(0.0);
  for (int i = 0; i < 28; ++i) {
    float length_of_k = 2.0 + 18.0 * pow(float(i) / 27.0, 1.3), angle = (hash_f(uint(i + 5)) - 0.5) * 4.6;
    vec2 k = round(length_of_k * vec2(cos(angle), sin(angle)));
    if (k == vec2(0.0)) k = vec2(1.0, 2.0);
    float phase = (2.0 * pi) * (dot(k, uv) + hash_f(uint(i + 91)));
    slope += 0.0075 * k / pow(length(k), 0.85) * cos(phase) * (1.0 + 0.4 * cos(phase));
  }
  imageStore(result, p, vec4(slope, 0.0, 0.0));
}
