#version 450
// For software: lays the small picture of the smoke over the picture.
#include "landscape/shared.glsl"
layout(binding = reflection_unit) uniform sampler2D smoke;
in vec4 clip;
layout(location = 0) out vec4 colour;

void main() { colour = textureLod(smoke, 0.5 + 0.5 * clip.xy / clip.w, 0.0); }
