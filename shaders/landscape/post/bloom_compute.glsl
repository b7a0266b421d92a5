#version 450
// One step of the bloom's pyramid: down (13 samples) or up (9 samples) (Jimenez 2014).
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform sampler2D source;
layout(rgba16f, binding = 0) uniform image2D result;
uniform bool up;      // mix the coarser level into the finer one
uniform float limit;  // limit of a pixel's radiance, so that one bright pixel does not flash; 0: none
vec2 uv = vec2(0);

vec3 at(vec2 offset) {
  vec3 c = textureLod(source, uv + offset / vec2(textureSize(source, 0)), 0.0).rgb;
  return limit > 0.0 ? min(c, vec3(limit)) : c;
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(pixel, size))) return;
  uv = (vec2(pixel) + 0.5) / vec2(size);
  vec3 sum;
  if (up) {
    sum = 4.0 * at(vec2(0)) + 2.0 * (at(vec2(1, 0)) + at(vec2(-1, 0)) + at(vec2(0, 1)) + at(vec2(0, -1))) +
          at(vec2(1, 1)) + at(vec2(-1, 1)) + at(vec2(1, -1)) + at(vec2(-1, -1));
    sum = mix(imageLoad(result, pixel).rgb, sum / 16.0, 0.6);
  } else {
    sum = 0.125 * at(vec2(0)) + 0.125 * (at(vec2(1, 1)) + at(vec2(-1, 1)) + at(vec2(1, -1)) + at(vec2(-1, -1))) +
          0.0625 * (at(vec2(2, 0)) + at(vec2(-2, 0)) + at(vec2(0, 2)) + at(vec2(0, -2))) +
          0.03125 * (at(vec2(2, 2)) + at(vec2(-2, 2)) + at(vec2(2, -2)) + at(vec2(-2, -2)));
  }
  imageStore(result, pixel, vec4(sum, 1.0));
}
