// The air of a physically based sky: Rayleigh and Mie scattering and the ozone's absorption, between spheres of the
// Earth's size (Bruneton and Neyret 2008; coefficients of Hillaire 2020). Lengths here are kilometres.
#include "landscape/shared.glsl"
const float bottom_radius = 6360.0, top_radius = 6460.0;
const vec3 rayleigh_scattering = vec3(5.802e-3, 13.558e-3, 33.1e-3);
const float mie_scattering = 3.996e-3, mie_extinction = 4.44e-3;
const vec3 ozone_absorption = vec3(0.65e-3, 1.881e-3, 0.085e-3);
const float mie_g = 0.78;
const float sun_irradiance = 20.0;

// Darkens the sky around a low sun, as a photographer would, so that the land in front of it is not black.
float low_sun(float sine_of_elevation) { return 1.0 - smoothstep(0.03, 0.19, sine_of_elevation); }
float sky_held_back(float sine_of_elevation) { return mix(1.0, 0.42, low_sun(sine_of_elevation)); }

vec3 densities(float height) {
  return vec3(exp(-height / 8.0), exp(-height / 1.2), max(0.0, 1.0 - abs(height - 25.0) / 15.0));
}
vec3 extinction_of(vec3 density) {
  return rayleigh_scattering * density.x + mie_extinction * density.y + ozone_absorption * density.z;
}

float distance_to_top(float r, float mu) {
  return max(0.0, -r * mu + sqrt(max(0.0, r * r * (mu * mu - 1.0) + top_radius * top_radius)));
}
bool hits_bottom(float r, float mu) {
  return mu < 0.0 && r * r * (mu * mu - 1.0) + bottom_radius * bottom_radius >= 0.0;
}
float distance_to_bottom(float r, float mu) {
  return max(0.0, -r * mu - sqrt(max(0.0, r * r * (mu * mu - 1.0) + bottom_radius * bottom_radius)));
}

const float horizon_length = sqrt(top_radius * top_radius - bottom_radius * bottom_radius);
vec2 transmittance_uv(float r, float mu) {
  float rho = sqrt(max(0.0, r * r - bottom_radius * bottom_radius));
  float d = distance_to_top(r, mu), d_min = top_radius - r, d_max = rho + horizon_length;
  return vec2((d - d_min) / (d_max - d_min), rho / horizon_length);
}
void transmittance_of_uv(vec2 uv, out float r, out float mu) {
  float rho = uv.y * horizon_length;
  r = sqrt(rho * rho + bottom_radius * bottom_radius);
  float d_min = top_radius - r, d = d_min + uv.x * (rho + horizon_length - d_min);
  mu = d == 0.0 ? 1.0 : clamp((horizon_length * horizon_length - rho * rho - d * d) / (2.0 * r * d), -1.0, 1.0);
}

float rayleigh_phase(float nu) { return 3.0 / (16.0 * pi) * (1.0 + nu * nu); }
float henyey_greenstein(float nu, float g) {
  return (1.0 - g * g) / (4.0 * pi * pow(max(1e-4, 1.0 + g * g - 2.0 * g * nu), 1.5));
}
