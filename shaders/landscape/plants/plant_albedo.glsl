// Colours of leaves, bark and fruit; `tint` is the plant's own.
#include "landscape/noise_map.glsl"

vec3 leaf_albedo(vec3 tint, float shade) {
  return tint * (0.30 + 0.42 * shade) * mix(vec3(1.0), vec3(1.1, 0.92, 0.95), shade);
}

// Bark with furrows along the branch, and paler and darker parts.
vec3 bark_albedo(vec3 tint, vec2 uv, vec2 dx, vec2 dy) {
  const vec2 furrow = vec2(3.0, 0.22), part = vec2(1.0, 0.07);
  float furrows = textureGrad(noise_map, uv * furrow, dx * furrow, dy * furrow).g, parts = 0.5;
#ifndef REDUCED
  parts = textureGrad(noise_map, uv * part + 0.3, dx * part, dy * part).r;
#endif
  return tint * (0.35 + 1.1 * furrows) * (0.7 + 0.5 * parts);
}

// Smooth and pale bark with short dark marks across the branch, more of them near the ground.
vec3 marked_albedo(vec3 tint, vec2 uv, vec2 dx, vec2 dy) {
  const vec2 mark = vec2(1.0, 0.8), patch_of = vec2(1.0, 0.25);
  float marks = textureGrad(noise_map, uv * mark, dx * mark, dy * mark).g;
  float dark = textureGrad(noise_map, uv * patch_of + 0.6, dx * patch_of, dy * patch_of).b;
  float low = 0.12 * (1.0 - smoothstep(0.3, 2.5, uv.y));
  float covered = max(smoothstep(0.60, 0.66, marks + low), smoothstep(0.68, 0.76, dark + low));
  return tint * mix(0.85 + 0.25 * dark, 0.09, covered);
}

// Fruit is paler towards the stalk.
vec3 fruit_albedo(vec3 tint, vec2 uv) { return tint * mix(0.75, 1.15, uv.y); }

// The colour of everything but leaves; `kind` as in MeshVertex.
vec3 body_albedo(float kind, vec3 tint, vec2 uv, vec2 dx, vec2 dy) {
  return kind > -1.5 ? bark_albedo(tint, uv, dx, dy) : kind > -2.5 ? marked_albedo(tint, uv, dx, dy) : fruit_albedo(tint, uv);
}
