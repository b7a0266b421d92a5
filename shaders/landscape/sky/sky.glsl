// The sky's radiance, which other shaders get from its table, and what air and water do to light on its way to the eye.
#include "landscape/frame.glsl"
#include "landscape/noise.glsl"
layout(binding = sky_view_unit) uniform sampler2D sky_view;

vec3 night_sky(vec3 ray) {
  float up = clamp(ray.z, 0.0, 1.0);
  return frame.air.w * mix(vec3(0.0050, 0.0074, 0.0135), vec3(0.0012, 0.0022, 0.0060), sqrt(up));
}

vec3 sky_radiance(vec3 ray) {
  float elevation = asin(clamp(ray.z, -1.0, 1.0));
  vec2 flat_ray = ray.xy, flat_sun = frame.sun.xy;
  float cosine = dot(flat_ray, flat_sun) * inversesqrt(max(1e-8, dot(flat_ray, flat_ray) * dot(flat_sun, flat_sun)));
  float azimuth = acos(clamp(cosine, -1.0, 1.0));
  vec2 uv = vec2(azimuth / pi, 0.5 + 0.5 * sign(elevation) * sqrt(abs(elevation) / (0.5 * pi)));
  vec2 size = vec2(textureSize(sky_view, 0));
  return textureLod(sky_view, (uv * (size - 1.0) + 0.5) / size, 0.0).rgb + night_sky(ray);
}

// The light that water sends back from this depth.
vec3 water_scatter(float depth_below) {
  vec3 lit = (light.ambient[4].rgb + light.key_colour.rgb * max(frame.key.z, 0.0)) * (1.0 / pi);
  return lit * vec3(0.016, 0.092, 0.108) * exp(-vec3(0.18, 0.05, 0.04) * depth_below);
}
const vec3 water_absorption = vec3(0.34, 0.085, 0.065), diver_absorption = vec3(0.17, 0.052, 0.042);  // 1/m
#include "landscape/water/caustics.glsl"

// Beer's law through air whose density falls with height, and the sky's light that the air scatters in; below the
// surface, water takes the place of air.
vec3 through_air(vec3 radiance, vec3 position) {
  vec3 to = position - view.camera.xyz;
  float distance = length(to);
  vec3 ray = to / max(distance, 1e-4);
  if (frame.water.y > 0.5) return through_water(radiance, position);
  float scale = frame.air.y, rise = to.z / scale;
  float height = exp(-max(view.camera.z - sea_level(), 0.0) / scale);
  float depth = frame.air.x * height * distance * (abs(rise) < 1e-3 ? 1.0 : (1.0 - exp(-rise)) / rise);
  // Blue light is scattered sooner than red: far hills are blue by day and red at dusk.
  vec3 through = exp(-depth * vec3(0.75, 1.0, 1.35));
  vec3 horizon = normalize(vec3(ray.xy, clamp(ray.z, 0.015, 0.25)));
  return radiance * through + sky_radiance(horizon) * (1.0 - through);
}
