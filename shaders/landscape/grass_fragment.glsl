#version 450
#include "landscape/lighting.glsl"
in vec3 position, normal, tint;
layout(location = 0) out vec4 colour;

void main() {
  vec3 n = normalize(normal);
  Surface surface = Surface(position, n, tint, 0.8, 0.9, 0.45);
  colour = vec4(through_air(lit_surface(surface, key_visibility(position, n)), position), 1.0);
}
