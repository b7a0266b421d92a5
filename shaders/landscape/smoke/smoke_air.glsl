// The smoke as air that scatters light: how dense it is, and what reaches the eye. Include after lighting.glsl.
#include "landscape/smoke/smoke_field.glsl"
layout(binding = smoke_shade_unit) uniform sampler3D smoke_shade;  // optical depths (smoke_shade_compute.glsl)

// The extinction after billows are cut out of the smoke; they rise and drift with it.
float billowing_extinction(vec3 p, float extinction) {
  vec3 q = p - vec3(0.55 * frame.wind.z * frame.wind.xy, 1.9) * seconds();
  float billows = 0.62 * textureLod(cloud_noise, q / 8.0, 0.0).r + 0.38 * textureLod(cloud_noise, q / 3.1, 0.0).g;
  return extinction * (0.06 + 2.4 * smoothstep(0.30, 0.68, billows));
}

#ifdef REDUCED
uniform vec3 box_low, box_high;  // corners of the part of the cube in which there is smoke
#endif

// What the smoke along a ray adds to the light behind it, and the part of that light which it lets through. The ray
// ends at `behind` metres.
vec4 smoke_along(vec3 ray, float behind, float dither, int steps) {
  vec3 inverse = 1.0 / ray, a = (cube.xyz - view.camera.xyz) * inverse, b = (cube.xyz + cube.w - view.camera.xyz) * inverse;
  vec3 low = min(a, b), high = max(a, b);
  float enter = max(max(low.x, low.y), max(low.z, 0.0)), leave = min(min(high.x, high.y), min(high.z, behind));
  if (enter >= leave) return vec4(0.0, 0.0, 0.0, 1.0);
  float step = (leave - enter) / float(steps), t = enter + step * dither;
  int first = 0;
#ifdef REDUCED
  // The steps through the whole cube that lie in the box.
  a = (box_low - view.camera.xyz) * inverse;
  b = (box_high - view.camera.xyz) * inverse;
  low = min(a, b);
  high = max(a, b);
  first = int(max(ceil((max(max(low.x, low.y), low.z) - t) / step), 0.0));
  steps = int(min(ceil((min(min(high.x, high.y), high.z) - t) / step), float(steps)));
  t += step * float(first);
#endif
  vec3 middle = cube.xyz + vec3(0.5, 0.5, 0.3) * cube.w;
  vec3 key = light.key_colour.rgb * hill_visibility(middle) * cloud_visibility(middle);
  // Smoke scatters most light forwards, so that it glows against the light.
  float cosine = dot(ray, frame.key.xyz), forward = 0.55 + 0.2 * cosine * cosine + 1.5 * pow(max(cosine, 0.0), 6.0);
  vec3 sky = ambient_light(vec3(0.0, 0.0, 1.0)), ground = ambient_light(vec3(0.0, 0.0, -1.0));
  vec3 radiance = vec3(0.0);
  float through = 1.0, reached = 0.0;
  for (int i = first; i < steps && through > 0.01; ++i, t += step) {
#ifdef REDUCED
    // Software passes by clear air in a loop of its own, as in clouds_compute.glsl.
    float extinction = 0.0;
    vec3 from = (view.camera.xyz - cube.xyz) / cube.w;
    for (; i < steps; ++i, t += step) {
      extinction = smoke_extinction(from + t / cube.w * ray);
      if (extinction > 1e-3) break;
    }
    vec3 p = view.camera.xyz + t * ray, at = (p - cube.xyz) / cube.w;
#else
    vec3 p = view.camera.xyz + t * ray, at = (p - cube.xyz) / cube.w;
    float extinction = smoke_extinction(at);
#endif
    if (extinction > 1e-3) {
      vec2 shade = textureLod(smoke_shade, at, 0.0).rg;
      // Light that is scattered several times reaches deeper than Beer's law says.
      vec3 source = key * forward * (0.7 * exp(-shade.r) + 0.3 * exp(-0.2 * shade.r)) +
                    0.55 * sky * (0.35 + 0.65 * exp(-0.6 * shade.g)) + 0.35 * ground + 4.0 * lamp_light(p, vec3(0.0));
      float part = exp(-step * billowing_extinction(p, extinction));
      radiance += through * (1.0 - part) * source;
      reached += through * (1.0 - part) * t;
      through *= part;
    }
  }
  float seen = 1.0 - through;
  if (seen < 1e-3) return vec4(0.0, 0.0, 0.0, 1.0);
  return vec4(through_air(radiance * (0.6 / pi) / seen, view.camera.xyz + ray * (reached / seen)) * seen, through);
}

// The same for a pixel at `uv` (0 … 1) that shows something at this depth.
vec4 smoke_in_pixel(vec2 uv, float depth, float dither, int steps) {
  vec4 world = view.world_from_clip * vec4(2.0 * uv - 1.0, max(depth, 1e-5), 1.0);
  vec3 to = world.xyz / world.w - view.camera.xyz;
  float behind = length(to);
  return smoke_along(to / behind, depth > 0.0 ? behind : 1e9, dither, steps);
}
