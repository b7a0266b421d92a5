#version 450
// Edges between points; each edge is two triangles along the line from one point to the other. An edge is drawn if both
// of its points are.
#include "points/point.glsl"
layout(std430, binding = 3) readonly buffer Edges { uvec2 edges[]; };  // two indices of points each

uniform float half_width;  // pixels
uniform vec3 edge_colour;
out float across;  // pixels from the line's middle
out vec4 line_colour;

const float margin = 1;  // pixels beyond the line's edge, for the antialiased rim

bool place_of(uint i, out vec2 pixel) {
  pixel = vec2(0);
  if (i >= count || (has_emphasis && emphases[i] == 0u) || colours[i] >> 24 == 0u) return false;
  const uvec3 bits = load_coordinates(i);
  if (!is_finite(bits.x) || !is_finite(bits.y) || !is_finite(bits.z)) return false;
  const vec4 clip = clip_from_world * vec4(uintBitsToFloat(bits), 1);
  pixel = (0.5 * clip.xy / clip.w + 0.5) * picture_size - tile_origin;
  return true;
}

void main() {
  const uint vertex = uint(gl_VertexID) % 6u;
  const uint corner = vertex < 3u ? vertex : vertex == 5u ? 3u : 5u - vertex;  // 0, 1, 2 and 2, 1, 3
  const uvec2 ends = edges[uint(gl_VertexID) / 6u];
  gl_Position = vec4(-2, -2, 0, 1);  // outside: nothing is drawn
  across = 0;
  line_colour = vec4(0);
  vec2 from, to;
  if (!place_of(ends.x, from) || !place_of(ends.y, to)) return;
  const vec2 along = to - from;
  if (dot(along, along) < 1e-6) return;
  across = ((corner & 1u) == 0u ? -1.0 : 1.0) * (half_width + margin);
  const vec2 place = (corner < 2u ? from : to) + normalize(vec2(-along.y, along.x)) * across;
  line_colour = vec4(edge_colour, 1) * opacity;
  gl_Position = vec4(2 * place / canvas_size - 1, 0, 1);
}
