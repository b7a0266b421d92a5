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
#ifdef REDUCED
flat in float lod;
in vec2 light_left;
in vec3 place, through, glow;
#define picture_at(map, p) textureLod(map, p, lod)
#else
#define picture_at(map, p) textureGrad(map, p, dx, dy)
#endif

void main() {
#ifndef SHADOW
  if (!keep_shown(shown)) discard;
#endif
  // If the eye is between the directions of two pictures, some pixels show one picture and some the other.
#ifndef REDUCED
  vec2 dx = dFdx(uv), dy = dFdy(uv), texels = vec2(textureSize(impostor_colour, 0));
  float lod = log2(max(length(dx * texels), length(dy * texels)));
#endif
  vec2 at = gradient_dither(gl_FragCoord.yx + 17.0) < other_part ? other_uv : uv;
  vec4 picture = picture_at(impostor_colour, at);
  // In small pictures trunks get thin, so less coverage is enough there.
  float small = clamp(lod / 3.0, 0.0, 1.0);
  float outline = picture.a;
#ifdef SHADOW
  if (outline < mix(0.4, 0.2, small)) discard;
#else
  outline = clamp((outline - mix(0.38, 0.16, small)) / 0.3 + 0.5, 0.0, 1.0);
  if (outline < 0.2) discard;
  vec4 look = picture_at(impostor_normal, at);
  vec3 n = look.xyz * 2.0 - 1.0;
  float c = cos(yaw), s = sin(yaw);
  n = normalize(vec3(c * n.x - s * n.y, s * n.x + c * n.y, n.z + 0.15));
  vec3 albedo = picture.rgb / max(picture.a, 0.3);
  albedo *= albedo * tint;
#ifdef REDUCED
  float visible = min(light_left.x, plant_visibility(place, n)) * light_left.y * mix(look.a, 1.0, 0.5);
  colour = vec4(lit_surface(Surface(place, n, albedo, 0.8, look.a, 0.6), visible) * through + glow, outline);
#else
  leave(of_leaf, albedo, n, look.a, outline);
#endif
#endif
}
