#version 450
// A ring around each marked point.
#include "points/point.glsl"
layout(std430, binding = 3) readonly buffer Markers { uvec2 markers[]; };  // index, colour
uniform float margin;
uniform float ring_scale;
flat out vec2 centre;
flat out float ring_radius;
flat out vec3 ring_colour;

void main() {
  Point point;
  const uvec2 marker = markers[gl_VertexID];
  gl_PointSize = 1;
  gl_Position = vec4(-2, -2, 0, 1);
  if (marker.x >= count || !load_point(marker.x, point)) return;
  centre = point.pixel;
  ring_radius = max(point.radius + 3 * ring_scale, 5 * ring_scale);
  ring_colour = unpackUnorm4x8(marker.y).rgb;
  const vec2 place = (point.pixel + margin) / (canvas_size + 2 * margin);
  gl_Position = vec4(2 * place - 1, 0, 1);
  gl_PointSize = ceil(2 * ring_radius + 8 * ring_scale);
}
