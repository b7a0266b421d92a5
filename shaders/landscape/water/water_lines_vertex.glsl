#version 450
// The water's level as a net around the camera, for the wireframe view: lines from west to east, then from south to
// north.
#include "landscape/frame.glsl"
uniform int lines;      // in each direction
uniform float spacing;  // metres

void main() {
  int line = gl_VertexID / 2, i = line % lines - lines / 2;
  float end = float(gl_VertexID % 2) * 2.0 - 1.0, half_side = float(lines / 2) * spacing;
  vec2 middle = round(view.camera.xy / spacing) * spacing, across = vec2(end * half_side, float(i) * spacing);
  gl_Position = view.clip_from_world * vec4(middle + (line < lines ? across : across.yx), sea_level(), 1.0);
}
