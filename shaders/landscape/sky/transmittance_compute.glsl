#version 450
// The part of the light that passes from the top of the air to a height, by zenith angle. Computed once.
#include "landscape/sky/atmosphere.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D result;

void main() {
  ivec2 size = imageSize(result);
  if (any(greaterThanEqual(gl_GlobalInvocationID.xy, uvec2(size)))) return;
  float r, mu;
  transmittance_of_uv(vec2(gl_GlobalInvocationID.xy) / vec2(size - 1), r, mu);
  const int steps = 40;
  float dx = distance_to_top(r, mu) / float(steps);
  vec3 depth = vec3(0.0);
  for (int i = 0; i < steps; ++i) {
    float d = (float(i) + 0.5) * dx;
    float height = sqrt(d * d + 2.0 * r * mu * d + r * r) - bottom_radius;
    depth += extinction_of(densities(height)) * dx;
  }
  imageStore(result, ivec2(gl_GlobalInvocationID.xy), vec4(exp(-depth), 1.0));
}
