#version 450
// Grass near the eye: three blades a tuft, each of three triangles; only where the ground is grown with it.
#include "landscape/lighting.glsl"
#include "landscape/terrain.glsl"
#include "landscape/materials.glsl"
#include "landscape/noise.glsl"
uniform int side;
uniform float cell;
out vec3 position, normal, tint;

const vec2 outline[9] = vec2[9](vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(0.7, 0.5), vec2(-1.0, 0.0), vec2(0.7, 0.5),
                                vec2(-0.7, 0.5), vec2(-0.7, 0.5), vec2(0.7, 0.5), vec2(0.0, 1.0));

void main() {
  ivec2 here = ivec2(floor(view.camera.xy / cell)) - side / 2 + ivec2(gl_InstanceID % side, gl_InstanceID / side);
  vec2 jitter = hash_2(here), more = hash_2(here + 7919);
  vec2 p = (vec2(here) + jitter) * cell;
  float distance = length(p - view.camera.xy), reach = 0.5 * cell * float(side);
  vec3 n = normalize(vec3(-ground_slope(p), 1.0));
  vec3 root = vec3(p, ground_height(p));
  Cover c = covers(root, n);
  float bare = (1.0 - c.weight[forest]) * (1.0 - c.weight[scree]) * (1.0 - c.weight[rock]) * (1.0 - c.weight[snow]) *
               (1.0 - c.weight[sand]) * (1.0 - c.weight[wet]);
  float grown = smoothstep(0.35, 0.8, bare + 0.3 * (more.x - 0.5)) * (1.0 - smoothstep(0.6 * reach, reach, distance));
  grown *= 1.0 - smoothstep(sea_level() + 0.2, sea_level() - 0.1, root.z);
  int blade = gl_VertexID / 9;
  vec2 shape = outline[gl_VertexID % 9];
  float turn = 6.2831853 * (more.y + 0.37 * float(blade)), tall = grown * (0.16 + 0.30 * more.x * c.local.r * 1.6);
  vec2 ahead = vec2(cos(turn), sin(turn)), across = vec2(-ahead.y, ahead.x);
  float wide = 0.012 + 0.0006 * distance;
  float gust = 0.5 + 0.5 * sin(dot(p, frame.wind.xy) * 0.5 - 2.3 * seconds() + 3.0 * more.y);
  vec2 bend = ahead * 0.35 + frame.wind.xy * frame.wind.z * (0.03 + 0.05 * gust);
  position = root + vec3(ahead * 0.06 + across * shape.x * wide * step(1e-3, grown), -0.02);
  position += tall * vec3(bend * shape.y * shape.y, shape.y);
  normal = normalize(n + 0.35 * vec3(across * shape.x + 0.3 * ahead, 0.0));
  vec3 green = mix(vec3(0.030, 0.052, 0.013), vec3(0.105, 0.135, 0.036), shape.y) * c.meadow;
  vec3 straw = mix(vec3(0.085, 0.070, 0.030), vec3(0.25, 0.205, 0.095), shape.y);
  tint = mix(green, straw, clamp(c.weight[dry] + 0.25 * (more.y - 0.6), 0.0, 1.0)) * (0.8 + 0.4 * jitter.x);
  gl_Position = grown > 0.02 ? view.clip_from_world * vec4(position, 1.0) : vec4(0.0, 0.0, -1.0, 0.0);
}
