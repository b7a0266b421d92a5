#version 450
// A far plant: its pictures from the two sides nearest to the eye's direction, standing upright.
#include "landscape/frame.glsl"
#include "landscape/plants/plants.glsl"
layout(location = 0) in uint entry;
uniform bool parallel;    // seen from the direction of the light (shadows)
uniform float shape_count;
out vec2 uv, other_uv;
#ifdef REDUCED
// Software draws a strip along the outline, and finds here what changes little over a plant: what hills and clouds leave
// of the key light, and what the air does.
#include "landscape/lighting.glsl"
layout(std430, binding = outlines_binding) readonly buffer Outlines { vec2 outlines[]; };  // [shapes × levels]
const int outline_levels = 5;
layout(binding = impostor_colour_unit) uniform sampler2D impostor_colour;
flat out float lod;  // of the pictures
out vec2 light_left;
out vec3 place, through, glow;
#endif
flat out float shown, other_part;  // other_part: share of the second side
flat out vec3 tint;
flat out float yaw;
out float gl_ClipDistance[1];

void main() {
  Instance self = instances[instance_of(entry)];
  shown = shown_of(entry);
  vec4 size = shapes[uint(self.more.y)];
  vec3 to_eye = parallel ? frame.key.xyz : view.camera.xyz - self.place.xyz;
  float angle = atan(to_eye.y, to_eye.x), turn = angle - self.place.w;
  float side = floor(turn / 0.78539816);
  other_part = smoothstep(0.2, 0.8, turn / 0.78539816 - side);
#ifdef REDUCED
  float metres = (view.clip_from_world * vec4(self.place.xyz, 1.0)).w * 2.0 * view.picture.w /
                 length(transpose(view.clip_from_world)[1].xyz);  // a pixel's size there
  vec2 texels = vec2(textureSize(impostor_colour, 0)) / vec2(8.0, shape_count) / (vec2(2.0, 1.0) * size.xy * self.more.x);
  lod = max(log2(metres * max(texels.x, texels.y * length(to_eye) / length(to_eye.xy))), 0.0);
  // Most plants show one level of the picture, which is looked up in less time than two; the others are on the way
  // from one to the next.
  lod = floor(lod) + clamp((fract(lod) - 0.375) * 4.0, 0.0, 1.0);
  int level = gl_VertexID / 2;
  bool right = gl_VertexID % 2 == 1;
  vec2 reach = outlines[int(self.more.y) * outline_levels + level];
  float blurred = 1.5 * exp2(lod) * 8.0 / float(textureSize(impostor_colour, 0).x);
  vec2 corner = vec2(right ? reach.y + blurred : reach.x - blurred, float(level) / float(outline_levels - 1));
  corner.x = clamp((corner.x - 0.01) / 0.98, 0.0, 1.0);
#else
  vec2 corner = vec2(gl_VertexID == 1 || gl_VertexID == 2 || gl_VertexID == 4, gl_VertexID == 2 || gl_VertexID == 4 || gl_VertexID == 5);
#endif
  vec3 across = vec3(-sin(angle), cos(angle), 0.0);
  vec3 offset = (across * (2.0 * corner.x - 1.0) * size.x + vec3(0.0, 0.0, corner.y * size.y)) * self.more.x;
  vec3 position = self.place.xyz + bent(stood(offset, self.more.w), sways[instance_of(entry)]);
  vec2 in_cell = mix(vec2(0.01), vec2(0.99), corner) + vec2(0.0, self.more.y);
  uv = (vec2(mod(side, 8.0), 0.0) + in_cell) / vec2(8.0, shape_count);
  other_uv = (vec2(mod(side + 1.0, 8.0), 0.0) + in_cell) / vec2(8.0, shape_count);
  tint = tinted(vec3(1.0), self.more.z);
  yaw = self.place.w;
#if defined(REDUCED) && !defined(SHADOW)
  place = position;
  light_left = vec2(hill_visibility(position), cloud_visibility(position));
  glow = through_air(vec3(0.0), position);
  through = through_air(vec3(1.0), position) - glow;
#endif
  gl_Position = view.clip_from_world * vec4(position, 1.0);
  gl_ClipDistance[0] = dot(view.clip_plane, vec4(position, 1.0));
}
