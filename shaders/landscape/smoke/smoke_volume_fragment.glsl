#version 450
// For software: the smoke in a small picture, what it adds and how much it lets through.
#include "landscape/lighting.glsl"
#include "landscape/smoke/smoke_air.glsl"
layout(binding = refraction_depth_unit) uniform sampler2D depth;
uniform int steps;
in vec4 clip;
layout(location = 0) out vec4 colour;

void main() {
  vec2 uv = 0.5 + 0.5 * clip.xy / clip.w;
  // Four pixels that lie together take turns, and smoke_over_fragment.glsl takes the mean of four.
  ivec2 place = ivec2(gl_FragCoord.xy) & 1;
  float dither = 0.125 + 0.5 * float(place.x ^ place.y) + 0.25 * float(place.y);
  colour = smoke_in_pixel(uv, textureLod(depth, uv, 0.0).r, dither, steps);
}
