#version 450
// The box that the smoke is in, for software.
#include "landscape/frame.glsl"
uniform vec3 box_low, box_high;
out vec4 clip;
const int corners[36] = int[36](0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5);

void main() {
  int c = corners[gl_VertexID];
  clip = view.clip_from_world * vec4(mix(box_low, box_high, vec3(c & 1, (c >> 1) & 1, c >> 2)), 1.0);
  gl_Position = clip;
}
