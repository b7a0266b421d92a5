#version 450
// A patch of the terrain: a square of the quadtree. With distance its grid morphs into the next coarser one (Strugar
// 2010), so that levels meet without cracks and change without a jump.
#include "landscape/frame.glsl"
#ifdef REDUCED
// Software finds here what changes little over a triangle.
#include "landscape/lighting.glsl"
out vec3 air_through, air_glow;  // what the air leaves of light and what it adds
out float cloud_light, wide;     // what clouds leave of the key light; the mean height around
#endif
#include "landscape/land/terrain.glsl"
struct Patch {
  vec2 origin;
  float size;
  float range;  // beyond this distance the next coarser level is drawn
};
layout(std430, binding = 0) readonly buffer Patches { Patch patches[]; };
uniform vec3 eye;  // the main view's eye in every pass, so that all passes draw the same terrain
uniform int cells;
out float gl_ClipDistance[1];

void main() {
  Patch self = patches[gl_InstanceID];
  vec2 grid = vec2(gl_VertexID % (cells + 1), gl_VertexID / (cells + 1));
  vec2 p = self.origin + grid * (self.size / float(cells));
  float distance = length(vec3(p - eye.xy, eye.z));
  float morph = clamp((distance - 0.78 * self.range) / (0.2 * self.range), 0.0, 1.0);
  grid -= 2.0 * fract(0.5 * grid) * morph;
  p = self.origin + grid * (self.size / float(cells));
  vec3 position = vec3(p, terrain_height(p));
#ifdef REDUCED
#ifndef UNDER_WATER
  air_glow = through_air(vec3(0.0), position);
  air_through = through_air(vec3(1.0), position) - air_glow;
#endif
  cloud_light = cloud_visibility(position);
  wide = wide_height(p);
#endif
  gl_Position = view.clip_from_world * vec4(position, 1.0);
  gl_ClipDistance[0] = dot(view.clip_plane, vec4(position, 1.0));
}
