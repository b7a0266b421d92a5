#version 450
// Enlarges a picture that was drawn smaller; noise of one step of the screen's 8 bits hides the steps.
#include "landscape/noise.glsl"
layout(binding = 0) uniform sampler2D picture;
in vec2 uv;
layout(location = 0) out vec4 colour;

void main() { colour = vec4(textureLod(picture, uv, 0.0).rgb + triangular_dither(gl_FragCoord.xy) / 255.0, 1.0); }
