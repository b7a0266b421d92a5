#version 450
// A butterfly: two wings that beat around the body, and the body; 18 vertices.
#include "landscape/frame.glsl"
layout(std430, binding = 0) readonly buffer Butterflies { float numbers[]; };
out vec3 position, normal;
out vec2 uv;  // u: across the wing, from the body; v: along the body, from hind to front
flat out int look;
flat out int part;
out float gl_ClipDistance[1];

void main() {
  int i = 8 * gl_InstanceID;
  vec3 centre = vec3(numbers[i], numbers[i + 1], numbers[i + 2]);
  float heading = numbers[i + 3], pitch = numbers[i + 4], beat = numbers[i + 5], size = numbers[i + 7];
  look = int(numbers[i + 6]);
  part = gl_VertexID / 6;  // left wing, right wing, body
  int k = gl_VertexID % 6;
  uv = vec2(k == 1 || k == 2 || k == 4, k == 2 || k == 4 || k == 5);
  vec3 along = vec3(cos(heading) * cos(pitch), sin(heading) * cos(pitch), sin(pitch));
  vec3 aside = vec3(-sin(heading), cos(heading), 0.0), up = cross(along, aside);
  vec3 offset;
  if (part == 2) {
    offset = along * (uv.y - 0.5) * 0.62 + aside * (uv.x - 0.5) * 0.07;
    normal = up;
  } else {
    float side = part == 0 ? 1.0 : -1.0;
    vec3 out_wards = aside * side * cos(beat) + up * sin(beat);
    offset = out_wards * uv.x * 0.62 + along * (uv.y - 0.5) * 0.95;
    normal = normalize(up * cos(beat) - aside * side * sin(beat));
  }
  position = centre + offset * size;
  gl_Position = view.clip_from_world * vec4(position, 1.0);
  gl_ClipDistance[0] = dot(view.clip_plane, vec4(position, 1.0));
}
