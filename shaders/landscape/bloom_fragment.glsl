#version 450
// One step of the bloom's pyramid, down (13 looks) or up (9 looks) (Jimenez 2014).
layout(binding = 0) uniform sampler2D source;
uniform bool up;
uniform float limit;  // of a pixel's radiance, so that one bright pixel does not flash; 0: none
in vec2 uv;
layout(location = 0) out vec4 colour;

vec3 at(vec2 offset) {
  vec3 c = textureLod(source, uv + offset / vec2(textureSize(source, 0)), 0.0).rgb;
  return limit > 0.0 ? min(c, vec3(limit)) : c;
}

void main() {
  vec3 sum;
  if (up) {
    sum = 4.0 * at(vec2(0)) + 2.0 * (at(vec2(1, 0)) + at(vec2(-1, 0)) + at(vec2(0, 1)) + at(vec2(0, -1))) +
          at(vec2(1, 1)) + at(vec2(-1, 1)) + at(vec2(1, -1)) + at(vec2(-1, -1));
    sum /= 16.0;
  } else {
    sum = 0.125 * at(vec2(0)) + 0.125 * (at(vec2(1, 1)) + at(vec2(-1, 1)) + at(vec2(1, -1)) + at(vec2(-1, -1))) +
          0.0625 * (at(vec2(2, 0)) + at(vec2(-2, 0)) + at(vec2(0, 2)) + at(vec2(0, -2))) +
          0.03125 * (at(vec2(2, 2)) + at(vec2(-2, 2)) + at(vec2(2, -2)) + at(vec2(-2, -2)));
  }
  colour = vec4(sum, 1.0);
}
