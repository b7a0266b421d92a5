#version 450
// Draws what is behind everything, for software.
#include "landscape/sky/sky_dome.glsl"
in vec2 uv;
layout(location = 0) out vec4 colour;

void main() {
  vec4 far = view.world_from_clip * vec4(2.0 * uv - 1.0, 1e-4, 1.0);
  colour = vec4(dome_radiance(normalize(far.xyz / far.w - view.camera.xyz), uv), 1.0);
}
