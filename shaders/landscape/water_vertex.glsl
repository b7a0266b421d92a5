#version 450
// The water's surface: rings around the eye, finer near it, out to the horizon.
#include "landscape/frame.glsl"
#include "landscape/terrain.glsl"
#include "landscape/waves.glsl"
uniform int rings, spokes;
uniform float farthest;
out vec3 position;
out vec2 wave_slope;

void main() {
  int ring = gl_VertexID / spokes, spoke = gl_VertexID % spokes;
  float above = max(abs(view.camera.z - sea_level()), 1.0);
  float nearest = 0.25 * above, r = float(ring) / float(rings - 1);
  float radius = ring == 0 ? 0.0 : nearest * pow(farthest / nearest, r);
  float angle = 6.2831853 * (float(spoke) + 0.5 * float(ring & 1)) / float(spokes);
  vec2 p = view.camera.xy + radius * vec2(cos(angle), sin(angle));
  float depth = sea_level() - ground_height(p);
  float spacing = radius * 6.2831853 / float(spokes);
  float amplitude = frame.water.z * clamp(0.15 + depth / 8.0, 0.15, 1.0) * (1.0 - smoothstep(0.8, 2.4, spacing));
  float height;
  long_waves(p, amplitude, seconds(), frame.wind.xy, height, wave_slope);
  position = vec3(p, sea_level() + height);
  gl_Position = view.clip_from_world * vec4(position, 1.0);
}
