#version 450
// The sky's radiance in all directions, seen from near the ground: x is the angle to the sun's azimuth (0 … π; the
// other half mirrors it), y the elevation, denser around the horizon. Recomputed when the sun has moved.
#include "landscape/shared.glsl"
#include "landscape/sky/atmosphere.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rgba16f, binding = 0) writeonly uniform image2D result;
layout(binding = transmittance_unit) uniform sampler2D transmittance;
uniform float sun_elevation;
uniform int steps;

vec3 transmittance_to_sun(float r, float mu) {
  vec2 uv = transmittance_uv(r, mu);
  // The Earth's shadow, with a soft edge as wide as the sun.
  float horizon = -sqrt(max(0.0, 1.0 - (bottom_radius / r) * (bottom_radius / r)));
  return textureLod(transmittance, uv, 0.0).rgb * smoothstep(-0.008, 0.004, mu - horizon);
}

void main() {
  ivec2 size = imageSize(result);
  if (any(greaterThanEqual(gl_GlobalInvocationID.xy, uvec2(size)))) return;
  vec2 uv = vec2(gl_GlobalInvocationID.xy) / vec2(size - 1);
  float azimuth = uv.x * pi, y = 2.0 * uv.y - 1.0;
  float elevation = sign(y) * y * y * 1.5707963;
  vec3 ray = vec3(cos(azimuth) * cos(elevation), sin(azimuth) * cos(elevation), sin(elevation));
  vec3 sun = vec3(cos(sun_elevation), 0.0, sin(sun_elevation));
  float r = bottom_radius + 0.2, mu = ray.z, nu = dot(ray, sun);
  float reach = hits_bottom(r, mu) ? distance_to_bottom(r, mu) : distance_to_top(r, mu);
  vec3 through = vec3(1.0), radiance = vec3(0.0);
  // Light that is scattered many times turns mauve under a low sun, because green is scattered away before.
  vec3 often_tint = mix(vec3(1.0), vec3(1.0, 0.53, 1.13), low_sun(sun.z));
  float before = 0.0;
  for (int i = 0; i < steps; ++i) {
    float after = reach * pow(float(i + 1) / float(steps), 2.0), dx = after - before, d = before + 0.5 * dx;
    before = after;
    float here = sqrt(d * d + 2.0 * r * mu * d + r * r), height = here - bottom_radius;
    vec3 density = densities(height), extinction = extinction_of(density);
    float mu_sun = (r * sun.z + d * nu) / here;
    vec3 sunlight = transmittance_to_sun(here, mu_sun);
    // Light that was scattered before it arrives: isotropic; past the terminator it fades slowly.
    vec3 often = textureLod(transmittance, transmittance_uv(here, max(mu_sun, 0.02)), 0.0).rgb *
                 smoothstep(-0.22, 0.25, mu_sun) * 0.085 * often_tint;
    vec3 rayleigh = rayleigh_scattering * density.x, mie = vec3(mie_scattering * density.y);
    vec3 scattered = sunlight * (rayleigh * rayleigh_phase(nu) + mie * henyey_greenstein(nu, mie_g)) +
                     often * (rayleigh + mie);
    vec3 step_through = exp(-extinction * dx);
    radiance += through * scattered * (1.0 - step_through) / max(extinction, vec3(1e-7));
    through *= step_through;
  }
  imageStore(result, ivec2(gl_GlobalInvocationID.xy), vec4(radiance * sun_irradiance * sky_held_back(sun.z), 1.0));
}
