// The net of light that waves cast into the water below them, and the light that the water scatters from it towards a
// diver. Include after sky.glsl.
#include "landscape/noise_map.glsl"

// The net at a place below the surface, 0 … 1: the places where the borders of two drifting cellular noises meet. `lod`
// blurs it.
float caustic_net(vec3 p, float lod) {
  vec2 q = (p.xy + frame.key.xy / max(frame.key.z, 0.25) * max(sea_level() - p.z, 0.0)) / 9.0;
  float t = 0.035 * seconds();
  float a = textureLod(noise_map, q + vec2(t, 0.6 * t), lod).b, b = textureLod(noise_map, q * 1.31 - vec2(0.8 * t, t), lod).b;
  float net = smoothstep(0.18, 0.62, min(a, b));
  return net * net;
}

// The factor on the key light that falls on the bed.
float caustics(vec3 p) {
  float depth = sea_level() - p.z;
  if (depth < 0.0) return 1.0;
  float texels = length(p - view.camera.xyz) * view.picture.w * float(textureSize(noise_map, 0).x) / 9.0;
  float lod = max(log2(max(texels, 1.0)), 0.06 * depth);
  return 0.72 + 2.6 * caustic_net(p, lod) * exp(-0.10 * depth) * smoothstep(0.0, 0.6, depth);
}

// The light that the water between the eye and `distance` adds. It is brighter near the surface, and forms shafts below
// the gaps of the net.
vec3 murk(vec3 ray, float distance) {
  float depth = clamp(sea_level() - view.camera.z, 0.0, 40.0);
#ifdef REDUCED
  float shafts = 1.3;
#else
  // No steps above the water, because some renderers execute both sides of a branch.
  int steps = frame.water.y > 0.5 ? 14 : 0;
  vec4 clip = view.clip_from_world * vec4(view.camera.xyz + ray, 1.0);
  float dither = gradient_dither(floor((0.5 + 0.5 * clip.xy / clip.w) * view.picture.xy) + 0.5);
  float reach = min(distance, 26.0), sum = 0.0, weights = 1e-3;
  for (int i = 0; i < steps; ++i) {
    vec3 p = view.camera.xyz + ray * (reach * (float(i) + dither) / float(steps));
    float weight = exp(-0.05 * reach * float(i) / float(steps));
    sum += weight * caustic_net(p, 2.2) * step(p.z, sea_level());
    weights += weight;
  }
  float shafts = 0.8 + 1.7 * sum / weights * exp(-0.05 * depth) * min(1.0, reach / 10.0);
#endif
  vec3 glow = water_scatter(max(depth - 9.0 * ray.z, 0.0)) * mix(0.75, 1.35, 0.5 + 0.5 * ray.z) * shafts;
  return glow * (1.0 - exp(-diver_absorption * distance));
}

// Light that reaches an eye under water. The light on the surface that the eye sees has passed through water too.
vec3 through_water(vec3 radiance, vec3 position) {
  vec3 to = position - view.camera.xyz;
  float distance = length(to), depth = max(sea_level() - position.z, 0.0);
  return radiance * exp(-diver_absorption * (distance + 0.7 * depth)) + murk(to / max(distance, 1e-4), distance);
}
