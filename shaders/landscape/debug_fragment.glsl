#version 450
// Shows a pass unchanged: radiance with the frame's exposure, or depth as distance, near white and far black.
#include "landscape/frame.glsl"
layout(binding = 0) uniform sampler2D shown;
uniform bool is_depth;
in vec2 uv;
layout(location = 0) out vec4 colour;

void main() {
  vec3 value = texture(shown, uv).rgb;
  if (is_depth) {
    value = vec3(1.0 - clamp(log2(distance_of_depth(value.r)) / 13.0, 0.0, 1.0));
  } else {
    value *= light.exposure.x * frame.sun.w;
    value = pow(value / (1.0 + value), vec3(1.0 / 2.2));
  }
  colour = vec4(value, 1.0);
}
