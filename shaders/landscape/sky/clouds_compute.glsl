#version 450
// The clouds: one drifting layer that rays march through, lit by the sky and by the key light through the layer.
#include "landscape/lighting.glsl"
#include "landscape/noise.glsl"
#include "landscape/sky/atmosphere.glsl"
uniform int steps;
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D result;

#ifndef REDUCED
// The depths of what is drawn, as in g_buffer/samples.glsl: 0 is the sky.
layout(std430, binding = samples_binding) readonly buffer Samples { uvec2 samples[]; };
uniform int samples_each;  // of a pixel
uniform int divisor;       // the picture is so many times larger than the layer

// Whether the sky shows in one of the picture's pixels that this one of the layer is laid over.
bool shows_sky(ivec2 pixel) {
  ivec2 low = max(pixel * divisor - 1, 0), high = min(pixel * divisor + divisor + 1, ivec2(view.picture.xy) - 1);
  for (int y = low.y; y <= high.y; ++y)
    for (int i = (y * int(view.picture.x) + low.x) * samples_each; i < (y * int(view.picture.x) + high.x + 1) * samples_each; ++i)
      if (samples[i].y == 0u) return true;
  return false;
}
#endif

float density_at(vec3 p, float lod) {
  float high = (p.z - frame.clouds.x) / (frame.clouds.y - frame.clouds.x);
  // Uses only the map's large forms: small ones would stand in the cloud as columns.
  float cover = cloud_cover_at(p.xy, lod + 3.0);
  float density = 0.0;
  if (cover >= 0.01) {
    // Clouds are flat below and round above; thicker ones reach higher.
    float profile = smoothstep(0.0, 0.10, high) * (1.0 - smoothstep(0.20, 0.30 + 0.70 * cover, high));
    vec3 q = vec3(p.xy - frame.clouds.zw * 1.1, p.z * 1.25) / 1900.0;
    float billows = textureLod(cloud_noise, q, 0.0).r;
    float shape = cover * profile - 0.85 * (0.72 - billows) * (1.0 - 0.35 * cover);
    if (lod < 0.5) shape -= 0.30 * (0.8 - textureLod(cloud_noise, q * 4.1 + 0.4, 0.0).g);
    density = clamp(shape * 1.8, 0.0, 1.0);
  }
  return density;
}

// Radiance of the clouds in a direction, and how much light from behind they let through.
vec4 clouds_towards(vec2 uv, float dither) {
  vec4 far = view.world_from_clip * vec4(2.0 * uv - 1.0, 1e-4, 1.0);
  vec3 ray = normalize(far.xyz / far.w - view.camera.xyz), from = view.camera.xyz;
  if (ray.z < 0.012 || frame.air.z <= 0.0) return vec4(0.0, 0.0, 0.0, 1.0);
  float enter = (frame.clouds.x - from.z) / ray.z, leave = (frame.clouds.y - from.z) / ray.z;
  enter = max(enter, 0.0);
  leave = min(leave, enter + 3500.0);
  const float extinction = 0.03;
  float nu = dot(ray, frame.key.xyz);
  float phase = mix(henyey_greenstein(nu, 0.65), henyey_greenstein(nu, -0.15), 0.45) + 0.035;
  float held_back = sky_held_back(frame.sun.z);
  vec3 sky = ambient_light(vec3(0.0, 0.0, 1.0)) * (0.30 / pi) * held_back, ground = ambient_light(vec3(0.0, 0.0, -1.0)) * (0.35 / pi) * held_back;
  vec3 radiance = vec3(0.0);
  float through = 1.0, step = (leave - enter) / float(steps);
  float t = enter + step * dither, reached = 0.0;
  for (int i = 0; i < steps && through >= 0.02; ++i, t += step) {
    vec3 p = from + t * ray;
    float density = density_at(p, 0.0);
    if (density > 0.0) {
#ifdef REDUCED
      const int looks = 2;
      float shade = 0.0, along = 140.0;
#else
      const int looks = 4;
      float shade = 0.0, along = 45.0;
#endif
      for (int k = 0; k < looks; ++k) {
        shade += density_at(p + frame.key.xyz * along, 1.0) * along;
        along *= 1.9;
      }
      float high = clamp((p.z - frame.clouds.x) / (frame.clouds.y - frame.clouds.x), 0.0, 1.0);
      // Light that is scattered several times reaches deeper than Beer's law says.
      float lit = max(exp(-extinction * shade), 0.38 * exp(-0.28 * extinction * shade));
      float powder = 1.0 - 0.6 * exp(-density * 9.0);
      vec3 source = light.key_colour.rgb * mix(1.0, 0.4, frame.air.w) * phase * lit * powder * 2.6 + mix(ground, sky * 2.2, 0.3 + 0.7 * high);
      float part = exp(-extinction * density * step);
      radiance += through * (1.0 - part) * source;
      reached += through * (1.0 - part) * t;
      through *= part;
    }
  }
  float distance = reached / max(1.0 - through, 1e-3);
  // The air in front of a cloud hides a part of it.
  float haze = 1.0 - exp(-distance * 5.5e-5);
  vec3 horizon = sky_radiance(normalize(vec3(ray.xy, max(ray.z, 0.02))));
  radiance = mix(radiance, horizon * (1.0 - through), haze);
  float fade = smoothstep(0.012, 0.075, ray.z);
  return vec4(radiance * fade, mix(1.0, through, fade));
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(pixel, size))) return;
#ifndef REDUCED
  if (!shows_sky(pixel)) {
    imageStore(result, pixel, vec4(0.0, 0.0, 0.0, 1.0));
    return;
  }
#endif
  vec2 place = vec2(pixel) + 0.5;
  imageStore(result, pixel, clouds_towards(place / vec2(size), gradient_dither(place)));
}
