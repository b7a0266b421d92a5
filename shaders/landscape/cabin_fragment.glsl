#version 450
// The cabin: logs and shingles from noise; windows mirror the sky by day and shine at night.
#include "landscape/frame.glsl"
#include "landscape/noise_map.glsl"
#include "landscape/g_buffer/leave.glsl"
in vec3 position, normal, tint, own;
in vec2 uv;
flat in int kind;  // 0 walls, 1 roof, 2 door, 3 chimney, 4 window

void main() {
  vec3 n = normalize(normal);
  vec2 along = abs(normal.z) > 0.5 ? own.xy : vec2(own.x + own.y, own.z);
  float grain = texture(noise_map, along * vec2(0.11, 1.7)).r, blotch = texture(noise_map, along * 0.35).g;
  vec3 albedo = tint * (0.55 + 0.6 * grain + 0.3 * blotch);
  if (kind == 1) {
    // Shingles in rows, each shifted by half a shingle.
    float row = own.y * 4.2, column = own.x * 3.0 + 0.5 * floor(row);
    float edge = smoothstep(0.0, 0.16, fract(row)) * smoothstep(0.0, 0.07, fract(column));
    float one = texture(noise_map, vec2(floor(column) * 0.137, floor(row) * 0.211)).r;
    albedo = tint * (0.45 + 0.9 * one) * (0.35 + 0.65 * edge) * (0.8 + 0.4 * blotch);
    albedo = mix(albedo, vec3(0.06, 0.075, 0.03), 0.5 * smoothstep(0.55, 0.75, blotch));
  } else if (kind == 3) {
    float row = own.z * 3.6, column = (own.x + own.y) * 2.4 + 0.5 * floor(row);
    float joint = smoothstep(0.0, 0.14, fract(row)) * smoothstep(0.0, 0.1, fract(column));
    float one = texture(noise_map, vec2(floor(column) * 0.171, floor(row) * 0.119)).r;
    albedo = mix(vec3(0.25, 0.24, 0.22), tint * (0.5 + 1.1 * one), joint);
  }
  float low = 0.6 + 0.4 * smoothstep(-0.2, 1.2, own.z);  // darker near the ground
  if (kind == 4) {
    float bars = smoothstep(0.03, 0.045, abs(fract(uv.x) - 0.5)) * smoothstep(0.03, 0.045, abs(fract(uv.y) - 0.5));
    float glow = 0.75 + 0.25 * texture(noise_map, uv * 0.13).r;
    leave_window(vec3(dot(albedo, vec3(1.0 / 3.0)), glow, bars), n, low);
  } else {
    leave(of_wall, albedo, n, low, 1.0);
  }
}
