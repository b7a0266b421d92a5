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
  colour = smoke_in_pixel(uv, textureLod(depth, uv, 0.0).r, gradient_dither(gl_FragCoord.xy), steps);
}
