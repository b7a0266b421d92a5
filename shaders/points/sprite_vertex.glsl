#version 450
// Points as GL_POINTS. The viewport extends beyond the canvas by `margin` pixels, because OpenGL drops a whole disc as
// soon as its centre leaves the viewport.
#include "points/point.glsl"
uniform float margin;
uniform bool want_highlighted, want_normal;
flat out vec2 centre;
flat out vec2 shape;  // radius, reach
flat out vec3 point_colour;

void main() {
  Point point;
  const uint i = uint(gl_VertexID);
  gl_PointSize = 1;
  gl_Position = vec4(-2, -2, 0, 1);  // outside: nothing is drawn
  if (i >= count || !load_point(i, point)) return;
  if (!(point.is_highlighted ? want_highlighted : want_normal)) return;
  centre = point.pixel;
  shape = vec2(point.radius, point.reach);
  point_colour = point.colour;
  const vec2 place = (point.pixel + margin) / (canvas_size + 2 * margin);
  gl_Position = vec4(2 * place - 1, 2 * point.depth - 1, 1);
  gl_PointSize = max(2 * point.reach, 1.0);
}
