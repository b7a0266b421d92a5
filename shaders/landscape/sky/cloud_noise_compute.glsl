#version 450
// Billows for the clouds, in a cube that repeats: r has large ones with finer ones on them, g the finest.
#include "landscape/noise.glsl"
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
layout(rgba8, binding = 0) writeonly uniform image3D result;

float billows(vec3 p, int period, int seed) {
  p *= float(period);
  ivec3 i = ivec3(floor(p));
  vec3 f = p - vec3(i);
  float best = 9.0;
  for (int z = -1; z <= 1; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        vec3 d = vec3(x, y, z) + hash_3(wrap(i + ivec3(x, y, z), period) + seed * 131) - f;
        best = min(best, dot(d, d));
      }
  return clamp(1.0 - sqrt(best), 0.0, 1.0);
}

void main() {
  ivec3 p = ivec3(gl_GlobalInvocationID), size = imageSize(result);
  if (any(greaterThanEqual(p, size))) return;
  vec3 uv = vec3(p) / vec3(size);
  float a = billows(uv, 3, 1), b = billows(uv, 6, 2), c = billows(uv, 12, 3);
  imageStore(result, p, vec4(clamp(a * 0.62 + b * 0.28 + c * 0.14, 0.0, 1.0), clamp(b * 0.55 + c * 0.45, 0.0, 1.0), c, 1.0));
}
