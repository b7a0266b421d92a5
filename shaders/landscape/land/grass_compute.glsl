#version 450
// Finds the visible grass: it grows on some of the ground only, and is shorter towards the edge of the grid.
#include "landscape/lighting.glsl"
#include "landscape/land/terrain.glsl"
#include "landscape/land/materials.glsl"
#include "landscape/noise.glsl"
#include "landscape/land/tufts.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) writeonly buffer Tufts { Tuft tufts[]; };
layout(std430, binding = 1) buffer Command { uint vertices, count; } command;
uniform int side;
uniform float cell;

void main() {
  ivec2 place = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(place, ivec2(side)))) return;
  ivec2 here = ivec2(floor(view.camera.xy / cell)) - side / 2 + place;
  vec2 jitter = hash_2(here), more = hash_2(here + 7919);
  vec2 p = (vec2(here) + jitter) * cell;
  float distance = length(p - view.camera.xy), reach = 0.5 * cell * float(side);
  vec3 root = vec3(p, terrain_height(p));
  if (!may_show(view.clip_from_world, root, 0.8)) return;
  vec3 n = normalize(vec3(-terrain_slope(p), 1.0));
  Cover c = covers(root, n);
  float bare = (1.0 - c.weight[forest]) * (1.0 - c.weight[scree]) * (1.0 - c.weight[rock]) * (1.0 - c.weight[snow]) *
               (1.0 - c.weight[sand]) * (1.0 - c.weight[wet]);
  float grown = smoothstep(0.35, 0.8, bare + 0.3 * (more.x - 0.5)) * (1.0 - smoothstep(0.6 * reach, reach, distance));
  grown *= 1.0 - smoothstep(sea_level() + 0.2, sea_level() - 0.1, root.z);
  if (grown <= 0.02) return;
  float tall = grown * (0.16 + 0.30 * more.x * c.local.r * 1.6);
  float gust = 0.5 + 0.5 * sin(dot(p, frame.wind.xy) * 0.5 - 2.3 * seconds() + 3.0 * more.y);
  float bend = frame.wind.z * (0.03 + 0.05 * gust), dryness = clamp(c.weight[dry] + 0.25 * (more.y - 0.6), 0.0, 1.0);
  vec3 low = mix(vec3(0.030, 0.052, 0.013) * c.meadow, vec3(0.085, 0.070, 0.030), dryness);
  vec3 high = mix(vec3(0.105, 0.135, 0.036) * c.meadow, vec3(0.25, 0.205, 0.095), dryness);
  float shade = 0.8 + 0.4 * jitter.x;
  tufts[atomicAdd(command.count, 1u)] =
      Tuft(vec4(root, tall), vec4(n.xy, (2.0 * pi) * more.y, 0.012 + 0.0006 * distance),
           vec4(bend, uintBitsToFloat(packUnorm4x8(vec4(sqrt(low * shade), 0.0))),
                uintBitsToFloat(packUnorm4x8(vec4(sqrt(high * shade), 0.0))), 0.0));
}
