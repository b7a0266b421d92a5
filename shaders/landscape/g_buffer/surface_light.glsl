// The light from all surfaces except the terrain, by their kind (drawn.glsl). Include after lighting.glsl.
#include "landscape/g_buffer/drawn.glsl"

// `own`: the window's grey, its glow, and 1 on glass or 0 on the bars.
vec3 window_radiance(vec3 position, vec3 n, vec3 own, float occlusion) {
  Surface s = Surface(position, n, vec3(own.r), 0.8, occlusion, 0.0);
  vec3 to_camera = normalize(view.camera.xyz - s.position), mirrored = reflect(-to_camera, s.normal);
  vec3 radiance = 0.12 * lit_surface(s, key_visibility(s.position, s.normal));
  float share = 0.06 + 0.94 * pow(1.0 - max(dot(s.normal, to_camera), 0.0), 5.0);
  radiance += sky_radiance(normalize(vec3(mirrored.xy, max(mirrored.z, 0.03)))) * share;
  radiance += vec3(1.0, 0.56, 0.20) * frame.lamp.w * own.g * 0.10;
  return radiance * mix(0.25, 1.0, own.b);
}

// `own` is the occlusion, but for a wing its shine.
vec3 surface_radiance(int kind, vec3 position, vec3 n, vec3 albedo, float own) {
  Surface s = Surface(position, n, albedo, 0.8, own, 0.0);
  float visible = key_visibility(position, s.normal);
  if (kind == of_leaf || kind == of_bark) visible *= mix(own, 1.0, 0.5);
  if (kind == of_leaf) s.translucency = 0.6;
  if (kind == of_grass) s.translucency = 0.45;
  if (kind == of_wing) {
    s.occlusion = 1.0;
    s.translucency = 0.6;
    s.roughness = 0.6 - 0.4 * own;
  }
  vec3 radiance = lit_surface(s, visible);
  if (kind == of_wing) {
    vec3 half_way = normalize(normalize(view.camera.xyz - position) + frame.key.xyz);
    radiance += own * vec3(0.02, 0.25, 0.7) * light.key_colour.rgb * 0.04 * pow(max(dot(s.normal, half_way), 0.0), 12.0);
  }
  return radiance;
}
