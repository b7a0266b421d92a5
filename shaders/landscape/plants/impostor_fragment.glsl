#version 450
#include "landscape/shared.glsl"
#include "landscape/noise.glsl"
#ifndef SHADOW
flat in float shown;
#include "landscape/plants/plants_fade_fragment.glsl"
#include "landscape/g_buffer/leave.glsl"
#endif
layout(binding = impostor_colour_unit) uniform sampler2D impostor_colour;
layout(binding = impostor_normal_unit) uniform sampler2D impostor_normal;
in vec2 uv, other_uv;
flat in float other_part;
flat in vec3 tint;
flat in float yaw;

void main() {
#ifndef SHADOW
  if (!keep_shown(shown)) discard;
#endif
  // If the eye is between the directions of two pictures, some pixels show one picture and some the other.
  vec2 dx = dFdx(uv), dy = dFdy(uv);
  vec2 at = gradient_dither(gl_FragCoord.yx + 17.0) < other_part ? other_uv : uv;
  vec4 picture = textureGrad(impostor_colour, at, dx, dy);
  // In small pictures trunks get thin, so less coverage is enough there.
  vec2 texels = vec2(textureSize(impostor_colour, 0));
  float small = clamp(log2(max(length(dx * texels), length(dy * texels))) / 3.0, 0.0, 1.0);
  float outline = picture.a;
#ifdef SHADOW
  if (outline < mix(0.4, 0.2, small)) discard;
#else
  outline = clamp((outline - mix(0.38, 0.16, small)) / 0.3 + 0.5, 0.0, 1.0);
  if (outline < 0.2) discard;
  vec4 look = textureGrad(impostor_normal, at, dx, dy);
  vec3 n = look.xyz * 2.0 - 1.0;
  float c = cos(yaw), s = sin(yaw);
  n = normalize(vec3(c * n.x - s * n.y, s * n.x + c * n.y, n.z + 0.15));
  vec3 albedo = picture.rgb / max(picture.a, 0.3);
  albedo *= albedo * tint;
  leave(of_leaf, albedo, n, look.a, outline);
#endif
}
