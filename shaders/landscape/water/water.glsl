// The water's surface: reflection and refraction, both displaced by moving ripples and mixed by Fresnel's law; murky
// with depth, clear and foaming towards the shore; seen from below, with total reflection. There is no mesh: each
// pixel's ray finds the waves by itself. Include after lighting.glsl.
#include "landscape/land/terrain.glsl"
#include "landscape/water/fresnel.glsl"
#include "landscape/water/waves.glsl"
layout(binding = refraction_unit) uniform sampler2D refraction;  // the picture without the water
layout(binding = refraction_depth_unit) uniform sampler2D refraction_depth;
layout(binding = reflection_unit) uniform sampler2D reflection;
layout(binding = ripples_unit) uniform sampler2D ripples;  // slopes

vec4 ripples_at(vec2 p, float scale) { return texture_over(ripples, p / scale, along_x.xy / scale, along_y.xy / scale); }
vec4 noise_at(vec2 p, float scale) { return texture_over(noise_map, p / scale, along_x.xy / scale, along_y.xy / scale); }

vec2 ripple_slopes(vec2 p, float distance) {
  float t = seconds();
  vec2 w = frame.wind.xy, side = vec2(-w.y, w.x);
  vec2 s = ripples_at(p - 5.3 * t * (0.11 * w + 0.03 * side), 5.3).rg;
  s += texture_over(ripples, p.yx / 13.7 + vec2(0.37) - t * (0.065 * w.yx - 0.02 * side), along_x.yx / 13.7, along_y.yx / 13.7).gr * 1.1;
#ifndef REDUCED
  s += ripples_at(p - 61.0 * t * (0.017 * w + 0.006 * side), 61.0).rg * 1.2;
#endif
  // Gusts: patches of rougher and smoother water.
  float gust = textureLod(noise_map, p / 420.0 - t * 0.006 * w, 1.0).r;
  return s * (0.25 + 1.1 * gust) * (0.35 + 0.14 * frame.wind.z);
}

vec3 behind_surface(vec2 at) {
  vec2 texel = at * view.picture.zw;
  vec4 world = view.world_from_clip * vec4(2.0 * texel - 1.0, max(textureLod(refraction_depth, texel, 0.0).r, 1e-5), 1.0);
  return world.xyz / world.w;
}

vec3 from_below(vec3 position, vec3 n, vec3 to_camera) {
  vec3 down = -n;
  float cosine = max(dot(down, to_camera), 0.0), sine2 = 1.7689 * (1.0 - cosine * cosine);
  float mirror = sine2 >= 1.0 ? 1.0 : fresnel(sqrt(1.0 - sine2));
  vec3 out_ray = refract(-to_camera, down, 1.333);
  vec3 sky = sky_radiance(normalize(vec3(out_ray.xy, max(out_ray.z, 0.02)))) * vec3(0.75, 0.95, 1.0);
  sky += light.key_colour.rgb * 3.0 * pow(max(dot(out_ray, frame.key.xyz), 0.0), 250.0);
  // Outside the window that refraction leaves, the surface mirrors the water below it.
  vec3 mirrored = murk(reflect(-to_camera, down), 30.0);
#ifndef REDUCED
  mirrored *= 0.7 + 0.6 * caustic_net(position + 3.0 * n, 1.0);
#endif
  return mix(sky, mirrored, mirror);
}

// How high the waves are, up to the distance at which single waves can be seen.
float amplitude_at(vec2 p) {
  float depth = sea_level() - terrain_height(p), away = length(p - view.camera.xy);
  return frame.water.z * clamp(0.15 + depth / 8.0, 0.15, 1.0) * (1.0 - smoothstep(40.0, 115.0, away));
}

// Where a ray from the eye meets the surface, as a distance; < 0: nowhere.
float meets_water(vec3 ray) {
  float above = view.camera.z - sea_level();
  if (above * ray.z >= 0.0) return -1.0;
  float t = -above / ray.z;
  // A ray that runs along the waves would hit single crests here and there, so they are flattened.
  float flat_part = clamp(abs(ray.z) * 12.0, 0.0, 1.0);
  for (int i = 0; i < 3; ++i) {
    vec2 p = view.camera.xy + t * ray.xy, slope;
    float height;
    long_waves(p, amplitude_at(p) * flat_part, seconds(), frame.wind.xy, height, slope);
    t = max((height - above) / ray.z, 0.0);
  }
  return t;
}

// A bound for the water's reversed depth along this ray: the depth at the height of the highest crests. The water is
// nowhere nearer.
float nearest_water(vec3 ray) {
  float above = view.camera.z - sea_level() - highest_wave * frame.water.z;
  if (above <= 0.0 || ray.z >= 0.0) return 1.0;
  vec4 clip = view.clip_from_world * vec4(view.camera.xyz - above / ray.z * ray, 1.0);
  return clip.z / clip.w;
}

// Radiance of the surface, and how much it covers of what is behind it.
vec4 water_colour(vec3 position, vec2 pixel) {
  meets_surface(position, vec3(0.0, 0.0, view.camera.z < position.z ? -1.0 : 1.0), pixel);
  float height;
  vec2 wave_slope;
  long_waves(position.xy, amplitude_at(position.xy), seconds(), frame.wind.xy, height, wave_slope);
  vec3 to_camera = view.camera.xyz - position;
  float distance = length(to_camera);
  to_camera /= distance;
  vec2 slope = wave_slope + ripple_slopes(position.xy, distance);
  vec3 n = normalize(vec3(-slope, 1.0));
  if (frame.water.y > 0.5) return vec4(through_air(from_below(position, n, to_camera), position), 1.0);
  // Waves that face away are hidden, so the surface looks smoother far off.
  float flatten = smoothstep(0.0, 0.25, to_camera.z);
  vec3 seen = normalize(vec3(-slope * mix(0.35, 1.0, flatten), 1.0));

  float depth_here = sea_level() - terrain_height(position.xy);
  vec2 shift = -seen.xy * clamp(depth_here * 0.25, 0.0, 1.0) * view.picture.y * 0.16 / (1.0 + 0.06 * distance);
  vec2 at = pixel + shift;
  vec3 bed = behind_surface(at);
  if (bed.z > position.z + 0.05) {
    at = pixel;
    bed = behind_surface(at);
  }
  float thickness = min(length(bed - position), 60.0), vertical = clamp(sea_level() - bed.z, 0.0, 60.0);
  // Light passes down to the bed and back up to the eye.
  vec3 through = exp(-water_absorption * (thickness + 0.6 * vertical));
  float lit = key_visibility(position, vec3(0.0, 0.0, 1.0));
  vec3 deep = (ambient_light(vec3(0, 0, 1)) + lit * light.key_colour.rgb * max(frame.key.z, 0.0)) * (1.0 / pi) *
              vec3(0.008, 0.052, 0.062);
  vec3 below = textureLod(refraction, at * view.picture.zw, 0.0).rgb * through + deep * (1.0 - through);

  vec2 mirror = (pixel + seen.xy * view.picture.y * vec2(0.10, 0.22)) * view.picture.zw;
  vec3 above = textureLod(reflection, clamp(mirror, 0.002, 0.998), 0.0).rgb;
  float mixed = fresnel(max(dot(seen, to_camera), 0.0));
  vec3 radiance = mix(below, above, mixed);

  // The sun's path on the water: a microfacet lobe, wider if many ripples share a pixel.
  vec3 half_way = normalize(to_camera + frame.key.xyz);
  vec3 glossy = normalize(vec3(-slope * 1.2, 1.0));
  float rough = mix(0.05, 0.16, smoothstep(20.0, 900.0, distance)), a2 = rough * rough;
  float c = max(dot(glossy, half_way), 0.0), d = c * c * (a2 - 1.0) + 1.0;
  float lobe = a2 / (pi * d * d) * 0.25 / max(0.15, max(dot(glossy, frame.key.xyz), to_camera.z));
  radiance += lit * light.key_colour.rgb * min(lobe, 60.0) * fresnel(max(dot(half_way, to_camera), 0.0));

  // Foam: a broken line that comes and goes with the waves, and a thin seam at the very edge.
  float t = seconds(), shore = max(depth_here, 0.0);
  float lace = noise_at(position.xy + 0.12 * t, 6.0).b * 0.6 + noise_at(position.xy - 0.069 * t, 2.3).b * 0.4;
  float swell = sin(shore * 3.4 + t * 0.9 + 5.0 * noise_at(position.xy, 90.0).r);
  float line = smoothstep(0.55, 1.0, swell) * smoothstep(1.9, 0.15, shore);
  float foam = smoothstep(0.34, 0.10, lace) * line + smoothstep(0.22, 0.0, shore) * smoothstep(0.55, 0.2, lace);
  foam += smoothstep(0.55, 1.1, length(wave_slope) * 2.2) * smoothstep(0.32, 0.12, lace) * 0.5;
  vec3 white = 0.72 / pi * (ambient_light(vec3(0, 0, 1)) + lit * light.key_colour.rgb * max(frame.key.z, 0.0));
  radiance = mix(radiance, white, clamp(foam, 0.0, 0.85));

  return vec4(through_air(radiance, position), smoothstep(0.0, 0.12, thickness));
}

// The ray from the eye through a pixel.
vec3 ray_through(vec2 pixel) {
  vec4 far = view.world_from_clip * vec4(2.0 * pixel * view.picture.zw - 1.0, 1e-4, 1.0);
  return normalize(far.xyz / far.w - view.camera.xyz);
}
