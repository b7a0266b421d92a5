#version 450
// A square grid of numbers as heights; an instance is a strip between two rows.
layout(std430, binding = 0) readonly buffer Values { float values[]; };
uniform mat4 clip_from_world;
uniform vec2 picture_size, tile_origin, canvas_size;
uniform int nodes, stride;  // nodes per side; distance in nodes between neighbouring vertices
uniform float spacing, height, low, high;
out float value;
out vec3 normal;

float value_at(ivec2 node) {
  const ivec2 inside = clamp(node, ivec2(0), ivec2(nodes - 1));
  const float v = values[inside.y * nodes + inside.x];
  return isnan(v) ? 0 : clamp(v, 2 * low, 2 * high);
}

void main() {
  const ivec2 node = min(stride * ivec2(gl_VertexID >> 1, gl_InstanceID + (gl_VertexID & 1)), ivec2(nodes - 1));
  value = value_at(node);
  const vec2 slope = height * vec2(value_at(node + ivec2(stride, 0)) - value_at(node - ivec2(stride, 0)),
                                   value_at(node + ivec2(0, stride)) - value_at(node - ivec2(0, stride))) /
                     (2 * spacing * float(stride));
  normal = vec3(-slope, 1);
  const vec4 clip = clip_from_world * vec4(spacing * vec2(node), height * value, 1);
  const vec2 pixel = (0.5 * clip.xy / clip.w + 0.5) * picture_size - tile_origin;
  gl_Position = vec4(2 * pixel / canvas_size - 1, clip.z / clip.w, 1);
}
