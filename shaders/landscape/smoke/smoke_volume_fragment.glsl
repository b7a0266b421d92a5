#version 450
// For software: draws the smoke into a small picture, as the light that it adds and the part that it lets through.
#include "landscape/lighting.glsl"
#include "landscape/smoke/smoke_air.glsl"
layout(binding = refraction_depth_unit) uniform sampler2D depth;
uniform int steps;
in vec4 clip;
layout(location = 0) out vec4 colour;

void main() {
  vec2 uv = 0.5 + 0.5 * clip.xy / clip.w;
  // The pixels of a 2 × 2 square have different dithers, and smoke_over_fragment.glsl takes the mean of four.
  ivec2 place = ivec2(gl_FragCoord.xy) & 1;
  float dither = 0.125 + 0.5 * float(place.x ^ place.y) + 0.25 * float(place.y);
  colour = smoke_in_pixel(uv, textureLod(depth, uv, 0.0).r, dither, steps);
}
