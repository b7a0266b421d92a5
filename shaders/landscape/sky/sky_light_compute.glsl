#version 450
// The light that the sky sends to surfaces, and the exposure that suits it. There is one group, which sums in a fixed
// order.
#include "landscape/sky/sky.glsl"
#include "landscape/sky/atmosphere.glsl"
layout(local_size_x = 64) in;
layout(binding = transmittance_unit) uniform sampler2D transmittance;
layout(std430, binding = 0) writeonly buffer Result {
  vec4 key_colour;
  vec4 ambient[6];
  vec4 exposure;
} result;
shared vec3 radiance[64];

vec3 direction(uint i) {
  float z = 1.0 - (2.0 * float(i) + 1.0) / 64.0, angle = 2.39996323 * float(i);
  return vec3(sqrt(1.0 - z * z) * vec2(cos(angle), sin(angle)), z);
}

vec3 sun_colour() {
  float r = bottom_radius + 0.3, mu = frame.sun.z;
  vec3 through = textureLod(transmittance, transmittance_uv(r, max(mu, -0.01)), 0.0).rgb;
  return sun_irradiance * through * smoothstep(-0.02, 0.03, mu);
}

void main() {
  uint i = gl_LocalInvocationIndex;
  float cover = frame.air.z;
  vec3 sun = sun_colour();
  vec3 key = frame.key.w > 0.5 ? sun : vec3(0.105, 0.13, 0.19) * smoothstep(0.0, 0.15, frame.moon.z) * frame.air.w;
  vec3 ray = direction(i);
  // Clouds make the sky's light whiter.
  vec3 sky = sky_radiance(vec3(ray.xy, abs(ray.z))) / sky_held_back(frame.sun.z);
  float grey = dot(sky, vec3(0.2126, 0.7152, 0.0722));
  radiance[i] = mix(sky, vec3(grey) * 1.15, 0.45 * cover);
  barrier();
  if (i > 0u) return;
  const vec3 axes[6] = vec3[6](vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0), vec3(0, -1, 0), vec3(0, 0, 1), vec3(0, 0, -1));
  vec3 up = vec3(0.0);
  for (uint k = 0u; k < 32u; ++k) up += radiance[k] * direction(k).z * (4.0 * pi / 64.0);
  vec3 ground = vec3(0.16, 0.15, 0.10) * (up + key * max(frame.key.z, 0.0)) / pi;
  for (int a = 0; a < 6; ++a) {
    vec3 sum = vec3(0.0);
    for (uint k = 0u; k < 64u; ++k) {
      vec3 d = direction(k);
      sum += (d.z > 0.0 ? radiance[k] : ground) * max(0.0, dot(d, axes[a])) * (4.0 * pi / 64.0);
    }
    result.ambient[a] = vec4(sum, 0.0);
  }
  result.key_colour = vec4(key, 0.0);
  float lit = dot(up + 0.6 * key * max(frame.key.z, 0.12), vec3(0.2126, 0.7152, 0.0722));
  // Eyes adapt, but not wholly: dusk is darker than noon, and night darker than dusk.
  result.exposure = vec4(min(2.0 * pow(max(lit, 0.05), -0.68), 14.0), lit, 0.0, 0.0);
}
