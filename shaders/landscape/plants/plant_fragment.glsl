#version 450
// Bark, leaves and fruit. With CAPTURE, draws into the plant's picture; with SHADOW, only cuts the leaves' outlines.
#include "landscape/shared.glsl"
#include "landscape/noise.glsl"
#ifndef SHADOW
#include "landscape/plants/plant_albedo.glsl"
#endif
layout(binding = leaf_shapes_unit) uniform sampler2DArray leaf_shapes;  // shade, outline
in vec3 normal, tint;
in vec3 uv;
in float crown;
#ifdef CAPTURE
layout(location = 0) out vec4 albedo_out;
layout(location = 1) out vec4 normal_out;
#elif !defined(SHADOW)
flat in float shown;
#include "landscape/plants/plants_fade_fragment.glsl"
#include "landscape/g_buffer/leave.glsl"
#endif

void main() {
#if !defined(CAPTURE) && !defined(SHADOW)
  if (!keep_shown(shown)) discard;
#endif
  bool leaf = uv.z > -0.5;
  // A triangle is all leaf or all bark; only the texture that it needs is looked up.
  vec2 dx = dFdx(uv.xy), dy = dFdy(uv.xy), look = vec2(0.0, 1.0);
  if (leaf) look = textureGrad(leaf_shapes, uv, dx, dy).rg;
  float outline = look.g;
#if defined(CAPTURE)
  // Far away, leaves merge, so their outlines are made wide.
  if (outline < 0.02) discard;
#elif defined(SHADOW)
  if (outline < 0.35) discard;
#else
  outline = clamp((outline - 0.42) / max(fwidth(outline), 0.05) + 0.5, 0.0, 1.0);
  if (outline < 0.1) discard;
#endif
#ifndef SHADOW
  vec3 albedo = leaf ? leaf_albedo(tint, look.r) : body_albedo(uv.z, tint, uv.xy, dx, dy);
#ifdef CAPTURE
  albedo_out = vec4(sqrt(albedo), 1.0);
  normal_out = vec4(normalize(normal) * 0.5 + 0.5, crown);
#else
  vec3 n = normalize(normal);
  if (!leaf && !gl_FrontFacing) n = -n;
  leave(leaf ? of_leaf : of_bark, albedo, n, crown, outline);
#endif
#endif
}
