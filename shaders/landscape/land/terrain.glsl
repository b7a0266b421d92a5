// The terrain: heights on a square. Beyond its edges the terrain is mirrored, and far outside it sinks below the sea.
#include "landscape/land/footprint.glsl"
layout(binding = heights_unit) uniform sampler2D heights;
layout(binding = slopes_unit) uniform sampler2D slopes;

vec2 terrain_uv(vec2 p) {
  float size = float(textureSize(heights, 0).x);
  return (p / frame.terrain.x * (size - 1.0) + 0.5) / size;
}
// 0 on the square, 1 where the terrain has sunk completely.
float fading(vec2 p) {
  vec2 outside = max(abs(p - 0.5 * frame.terrain.x) - 0.5 * frame.terrain.x, 0.0);
  return smoothstep(0.12, 1.55, length(outside) / frame.terrain.x);
}
// Mirrored as a triangle wave, so that grid points of both sides meet exactly.
vec2 mirrored(vec2 p) {
  vec2 t = mod(p, 2.0 * frame.terrain.x);
  return min(t, 2.0 * frame.terrain.x - t);
}
float terrain_height(vec2 p) {
  float height = textureLod(heights, terrain_uv(mirrored(p)), 0.0).r;
  return mix(height, min(frame.terrain.z, sea_level()) - sunken, fading(p));
}
// The mean height around a place.
float wide_height(vec2 p) { return textureLod(heights, terrain_uv(mirrored(p)), 4.5).r; }
// (dz/dx, dz/dy) at a place, from the value in the map of slopes.
vec2 slope_outside(vec2 slope, vec2 p) {
  vec2 tile = floor(p / frame.terrain.x);
  return slope * (1.0 - fading(p)) * (1.0 - 2.0 * mod(tile, 2.0));
}
// The slope, averaged over the pixel's footprint, or (terrain_slope_level) at a level of detail.
vec2 terrain_slope(vec2 p) {
  float scale = 1.0 / frame.terrain.x;
  return slope_outside(texture_over(slopes, terrain_uv(p), along_x.xy * scale, along_y.xy * scale).rg, p);
}
vec2 terrain_slope_level(vec2 p, float lod) { return slope_outside(textureLod(slopes, terrain_uv(p), lod).rg, p); }
