// Colours of leaves and bark; `tint` is the plant's own.
#include "landscape/noise_map.glsl"

vec3 leaf_albedo(vec3 tint, float shade) {
  return tint * (0.30 + 0.42 * shade) * mix(vec3(1.0), vec3(1.1, 0.92, 0.95), shade);
}

// Furrows along the branch, and paler and darker parts.
vec3 bark_albedo(vec3 tint, vec2 uv, vec2 dx, vec2 dy) {
  const vec2 furrow = vec2(3.0, 0.22), part = vec2(1.0, 0.07);
  float furrows = textureGrad(noise_map, uv * furrow, dx * furrow, dy * furrow).g, parts = 0.5;
#ifndef REDUCED
  parts = textureGrad(noise_map, uv * part + 0.3, dx * part, dy * part).r;
#endif
  return tint * (0.35 + 1.1 * furrows) * (0.7 + 0.5 * parts);
}
