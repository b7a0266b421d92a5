#version 450
// Lines through vertices in a buffer; each line is one triangle strip. A vertex has two corners, one on each side of
// the line, along the mitre of the two segments that meet there. So a translucent line does not overlap itself at a
// bend.
layout(std430, binding = 0) readonly buffer Positions { float positions[]; };
layout(std430, binding = 1) readonly buffer Classes { uint classes[]; };
layout(std430, binding = 2) readonly buffer Palette { uint palette[]; };  // highest byte 0: hidden

uniform uint vertices, capacity, first, line_stride, vertex_stride, class_stride, palette_size;
uniform ivec2 columns_xy;
uniform int column_z;
uniform bool has_classes;
uniform mat4 clip_from_world;
uniform vec2 picture_size, tile_origin, canvas_size;
uniform float half_width;  // pixels
uniform float opacity, tail;
uniform vec3 uniform_colour;
out float across;  // pixels from the line's middle
out vec4 line_colour;

const float margin = 1;  // pixels beyond the edge, for the antialiased rim

vec2 pixel_of(uint vertex) {
  const uint at = uint(gl_InstanceID) * line_stride + (first + vertex) % capacity * vertex_stride;
  const vec3 place = vec3(columns_xy.x < 0 ? 0 : positions[at + uint(columns_xy.x)],
                          columns_xy.y < 0 ? 0 : positions[at + uint(columns_xy.y)],
                          column_z < 0 ? 0 : positions[at + uint(column_z)]);
  const vec4 clip = clip_from_world * vec4(place, 1);
  return (0.5 * clip.xy / clip.w + 0.5) * picture_size - tile_origin;
}

vec2 normal(vec2 from, vec2 to) {
  const vec2 along = to - from;
  const float long_enough = 1e-3;
  return dot(along, along) > long_enough * long_enough ? normalize(vec2(-along.y, along.x)) : vec2(0);
}

void main() {
  const uint vertex = uint(gl_VertexID) >> 1;
  const vec2 here = pixel_of(vertex);
  vec2 before = vertex > 0u ? normal(pixel_of(vertex - 1u), here) : vec2(0);
  vec2 after = vertex + 1u < vertices ? normal(here, pixel_of(vertex + 1u)) : vec2(0);
  if (before == vec2(0)) before = after;
  if (after == vec2(0)) after = before;
  vec2 middle = before + after;
  // Where the line turns back, the corners are square: a mitre would point along the line and thin it towards a tip.
  middle = dot(before, after) > -0.5 ? normalize(middle) : before;
  const float side = (gl_VertexID & 1) == 0 ? -1 : 1;
  across = side * (half_width + margin);
  const vec2 corner = here + middle * across / max(dot(middle, before), 0.5);

  uint packed_colour = packUnorm4x8(vec4(uniform_colour, 1));
  if (has_classes) {
    const uint kind = classes[uint(gl_InstanceID) * class_stride];
    if (kind != 0xffffffffu) packed_colour = palette[kind % palette_size];
  }
  const vec4 colour = unpackUnorm4x8(packed_colour);
  const float age = vertices > 1u ? float(vertex) / float(vertices - 1u) : 1;  // 0 is the oldest
  const float strength = colour.a == 0 ? 0 : opacity * mix(tail, 1.0, age);
  line_colour = vec4(colour.rgb * strength, strength);
  gl_Position = vec4(2 * corner / canvas_size - 1, 0, 1);
}
