#version 450
#include "points/point.glsl"
uniform float fixed_point;
flat in vec2 centre;
flat in vec2 shape;
flat in vec3 point_colour;
out vec4 colour;

void main() {
  Point point;
  point.radius = shape.x;
  point.reach = shape.y;
  const float away = distance(gl_FragCoord.xy - vec2(canvas_origin), centre);
  const float cover = coverage(point, away);
  if (cover <= 0) discard;
#if defined(GATHER)
  colour = floor(fixed_point * optical_depth(cover * opacity) * vec4(point_colour, 1) + 0.5);
#elif defined(WHOLE)
  if (away > point.radius - 0.5) discard;
  colour = vec4(point_colour, 1);
#elif defined(RIM)
  if (away <= point.radius - 0.5) discard;
  colour = cover * vec4(point_colour, 1);
#else
  colour = cover * vec4(point_colour, 1);
#endif
}
