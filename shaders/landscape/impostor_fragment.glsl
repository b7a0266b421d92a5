#version 450
#ifndef SHADOW
#include "landscape/leave.glsl"
#endif
layout(binding = 15) uniform sampler2D impostor_colour;
layout(binding = 16) uniform sampler2D impostor_normal;
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
  leave(of_leaf, albedo, n, look.a, outline);
#endif
}
