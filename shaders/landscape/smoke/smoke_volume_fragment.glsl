#version 450
// The smoke's field as a soft volume: marches through its cube, with shadows towards the key light.
#include "landscape/lighting.glsl"
#include "landscape/noise.glsl"
layout(binding = smoke_field_unit) uniform sampler3D field;
uniform vec4 cube;
in vec3 position;
layout(location = 0) out vec4 colour;

// The field with billows cut out of it, which rise and drift with the smoke.
float density(vec3 p) {
  vec3 uv = (p - cube.xyz) / cube.w;
  float high = clamp(uv.z, 0.0, 1.0), field_here = min(textureLod(field, uv, 0.0).r, 1.2);
  if (field_here < 0.02) return 0.0;
  vec3 q = p - vec3(0.6 * frame.wind.z * frame.wind.xy, 1.7) * seconds();
  float billows = 0.6 * textureLod(cloud_noise, q / 17.0, 0.0).r + 0.4 * textureLod(cloud_noise, q / 6.1, 0.0).g;
  float thin = mix(0.55, 1.15, high);
  return clamp(1.5 * field_here - thin * (0.95 - billows), 0.0, 1.4) * (1.0 - 0.6 * high) * smoothstep(0.0, 0.05, 1.0 - high);
}

void main() {
  vec3 ray = normalize(position - view.camera.xyz), inverse = 1.0 / ray;
  vec3 a = (cube.xyz - view.camera.xyz) * inverse, b = (cube.xyz + cube.w - view.camera.xyz) * inverse;
  vec3 low = min(a, b), high = max(a, b);
  float enter = max(max(low.x, low.y), max(low.z, 0.0)), leave = min(high.x, min(high.y, high.z));
  const int steps = 64;
  float step = (leave - enter) / float(steps), t = enter + step * gradient_dither(gl_FragCoord.xy);
  const float extinction = 1.1;
  vec3 key = light.key_colour.rgb * hill_visibility(cube.xyz + 0.3 * cube.w) * cloud_visibility(cube.xyz);
  float forward = 0.6 + 1.4 * pow(max(dot(ray, frame.key.xyz), 0.0), 5.0), through = 1.0;
  vec3 radiance = vec3(0.0);
  for (int i = 0; i < steps; ++i, t += step) {
    vec3 p = view.camera.xyz + t * ray;
    float d = density(p);
    if (d < 1e-3) continue;
    float shade = 0.0;
    for (int k = 1; k <= 4; ++k) shade += density(p + frame.key.xyz * (0.8 * float(k))) * 0.8;
    vec3 lit = key * forward * exp(-0.7 * extinction * shade) * 0.55 + ambient_light(vec3(0, 0, 1)) * 0.8 + lamp_light(p, vec3(0, 0, -1));
    float part = exp(-extinction * d * step);
    radiance += through * (1.0 - part) * lit * (0.7 / pi);
    through *= part;
    if (through < 0.01) break;
  }
  float alpha = 1.0 - through;
  if (alpha < 0.004) discard;
  colour = vec4(through_air(radiance / alpha, cube.xyz + 0.5 * cube.w), alpha);
}
