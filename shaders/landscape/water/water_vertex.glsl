#version 450
// For software: a square at sea level, as wide as one can see.
#include "landscape/frame.glsl"

void main() {
  vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 2.0 - 1.0;
  gl_Position = view.clip_from_world * vec4(view.camera.xy + 30000.0 * corner, sea_level(), 1.0);
}
