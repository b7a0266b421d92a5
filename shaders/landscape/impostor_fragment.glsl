#version 450
#ifndef SHADOW
#include "landscape/lighting.glsl"
layout(location = 0) out vec4 colour;
#endif
layout(binding = 15) uniform sampler2D impostor_colour;
layout(binding = 16) uniform sampler2D impostor_normal;
in vec3 position, root_offset;
in vec2 uv;
in vec4 self_more;
in float yaw;

void main() {
  vec4 picture = texture(impostor_colour, uv);
  float outline = picture.a;
#ifdef SHADOW
  if (outline < 0.4) discard;
#else
  outline = clamp((outline - 0.38) / max(fwidth(outline), 0.1) + 0.5, 0.0, 1.0);
  if (outline < 0.2) discard;
  vec4 look = texture(impostor_normal, uv);
  vec3 n = look.xyz * 2.0 - 1.0;
  float c = cos(yaw), s = sin(yaw);
  n = normalize(vec3(c * n.x - s * n.y, s * n.x + c * n.y, n.z + 0.15));
  vec3 albedo = picture.rgb / max(picture.a, 0.3);
  albedo *= albedo * mix(vec3(0.78, 0.85, 0.8), vec3(1.22, 1.12, 0.95), self_more.z);
  Surface surface = Surface(position, n, albedo, 0.9, look.a, 0.6);
  vec3 radiance = lit_surface(surface, key_visibility(position, n) * mix(look.a, 1.0, 0.5));
  colour = vec4(through_air(radiance, position), outline);
#endif
}
