#version 450
// The smoke's optical depth from each place of its cube towards the key light, and upwards.
#include "landscape/frame.glsl"
#include "landscape/smoke/smoke_field.glsl"
layout(local_size_x = 4, local_size_y = 4, local_size_z = 4) in;
uniform vec3 first;  // the texel that the first thread computes
layout(rg16f, binding = 0) writeonly uniform image3D result;

float depth_towards(vec3 at, vec3 ray) {
  const int steps = 10;
  float along = 0.012, sum = 0.0;  // in sides of the cube
  for (int i = 0; i < steps; ++i) {
    vec3 q = at + ray * along;
    float wide = 0.35 * along + 0.006;
    if (any(notEqual(q, clamp(q, 0.0, 1.0)))) break;
    sum += smoke_extinction(q) * wide;
    along += wide;
  }
  return sum * cube.w;
}

void main() {
  ivec3 place = ivec3(first) + ivec3(gl_GlobalInvocationID), size = imageSize(result);
  if (any(greaterThanEqual(place, size))) return;
  vec3 at = (vec3(place) + 0.5) / vec3(size);
  imageStore(result, place, vec4(depth_towards(at, frame.key.xyz), depth_towards(at, vec3(0.0, 0.0, 1.0)), 0.0, 0.0));
}
