// What is behind everything: the air, the discs of sun and moon, stars, and clouds in front of them.
#include "landscape/sky/sky.glsl"
#include "landscape/noise.glsl"
layout(binding = clouds_unit) uniform sampler2D cloud_layer;  // radiance, transmittance
uniform bool with_clouds;

vec3 stars(vec3 ray) {
  // Cells on the sides of a cube; each may hold one star.
  vec3 a = abs(ray);
  vec2 q = a.z > a.x && a.z > a.y ? ray.xy / a.z : a.x > a.y ? ray.yz / a.x : ray.xz / a.y;
  int side = a.z > a.x && a.z > a.y ? (ray.z > 0.0 ? 0 : 1) : a.x > a.y ? (ray.x > 0.0 ? 2 : 3) : (ray.y > 0.0 ? 4 : 5);
  vec3 sum = vec3(0.0);
  for (int layer = 0; layer < 2; ++layer) {
    float cells = layer == 0 ? 110.0 : 260.0;
    vec2 p = q * cells;
    ivec2 cell = ivec2(floor(p));
    vec3 h = hash_3(ivec3(cell, side + 6 * layer));
    float brightness = pow(h.z, layer == 0 ? 60.0 : 30.0) * (layer == 0 ? 1.0 : 0.3);
    vec2 centre = 0.25 + 0.5 * hash_2(cell + 1000 * (side + 7));
    float d = length(fract(p) - centre) * (layer == 0 ? 1.0 : 0.8);
    float twinkle = 0.8 + 0.2 * sin(seconds() * (2.0 + 5.0 * h.x) + 40.0 * h.y);
    vec3 tint = mix(vec3(1.0, 0.78, 0.6), vec3(0.68, 0.8, 1.0), h.x);
    sum += brightness * twinkle * tint * smoothstep(0.15, 0.0, d);
  }
  return sum * smoothstep(-0.02, 0.25, ray.z);
}

float milky_way(vec3 ray) {
  float band = dot(ray, normalize(vec3(0.55, -0.35, 0.62)));
  vec3 p = ray * 3.0;
  float cloudy = 0.0;
  for (int k = 0; k < 3; ++k) {
    float w = pow(0.55, float(k));
    cloudy += w * value_noise(p.xy * exp2(float(k)) + p.z * 1.7 + 31.0, 1024, k);
  }
  return exp(-band * band * 22.0) * smoothstep(0.55, 1.5, cloudy);
}

vec3 moon_disc(vec3 ray) {
  float cosine = dot(ray, frame.moon.xyz);
  const float radius = 0.0115;
  if (cosine < cos(radius * 1.2)) return vec3(0.0);
  vec3 side = normalize(cross(frame.moon.xyz, vec3(0.0, 0.0, 1.0))), up = cross(side, frame.moon.xyz);
  vec2 p = vec2(dot(ray, side), dot(ray, up)) / radius;
  float r2 = dot(p, p);
  if (r2 > 1.0) return vec3(0.0);
  vec3 n = vec3(p, sqrt(1.0 - r2));
  float maria = value_noise(p * 2.3 + 7.0, 64, 3) * 0.6 + value_noise(p * 5.1 + 9.0, 64, 5) * 0.4;
  float lit = smoothstep(-0.05, 0.5, dot(n, normalize(vec3(-0.55, 0.2, 0.8))));
  return vec3(0.95, 0.93, 0.88) * mix(0.5, 1.0, smoothstep(0.3, 0.62, maria)) * lit * smoothstep(1.0, 0.93, r2);
}

vec3 dome_radiance(vec3 ray, vec2 uv) {
  if (frame.water.y > 0.5) return murk(ray, 200.0);
  vec3 radiance = sky_radiance(normalize(vec3(ray.xy, max(ray.z, 0.012))));
#ifndef DAY
  float night = frame.air.w;
  if (night > 0.0) {
    radiance += night * stars(ray) * 0.42;
    radiance += night * milky_way(ray) * vec3(0.0062, 0.0066, 0.0092) * smoothstep(0.0, 0.3, ray.z);
    radiance += moon_disc(ray) * 0.55 * smoothstep(0.0, 0.4, night);
    float halo = max(dot(ray, frame.moon.xyz), 0.0);
    radiance += night * vec3(0.016, 0.018, 0.022) * (pow(halo, 300.0) + 0.35 * pow(halo, 30.0)) * step(0.0, frame.moon.z);
  }
#endif
  float sun = dot(ray, frame.sun.xyz);
  float disc = smoothstep(cos(0.0078), cos(0.0062), sun);
  radiance += disc * light.key_colour.rgb * frame.key.w * 22.0 * smoothstep(-0.01, 0.01, ray.z);
  if (with_clouds) {
    vec4 cloud = textureLod(cloud_layer, uv, 0.0);
    radiance = radiance * cloud.a + cloud.rgb;
  }
  return radiance;
}
