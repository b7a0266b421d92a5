#version 450
// Finds the plants that this view sees and their level of detail, and appends each to the list of its shape and level.
#include "landscape/frame.glsl"
#include "landscape/plants/plants.glsl"
#ifdef BY_COMPUTE
#include "landscape/plants/plant_batches.glsl"
#endif
layout(local_size_x = 64) in;
#include "common/index.glsl"
layout(std430, binding = lists_binding) writeonly buffer Lists { uint lists[]; };
// The commands of levels 0 and 1, [2 × shapes], then that of level 2; 5 numbers each.
layout(std430, binding = commands_binding) buffer Commands { uint commands[]; };
uniform mat4 clip_from_world;
uniform vec3 eye;
uniform float whole_until, reduced_until, seen_until;
uniform float fading;  // part of each level's reach over which the next one fades in
uniform uint count, shape_count, first_command, first_list;

#ifdef BY_COMPUTE
// Batches that do not fit are left out.
void add_batches(uint entry, uint command) {
  uint triangles = commands[command] / 3u, first = commands[command + 2u] / 3u;
  uint needed = (triangles + batch_triangles - 1u) / batch_triangles, place = atomicAdd(batch_count, needed);
  for (uint k = 0u; k < needed && place + k < uint(batches.length()); ++k) {
    uint done = k * batch_triangles;
    batches[place + k] = uvec2(entry, (first + done) | min(triangles - done, batch_triangles) << 24);
  }
}
#endif

void add(uint instance, uint shape, float start_of_shape, uint level, float part, bool coarser) {
  uint entry = entry_of(instance, part, coarser);
  uint command = first_command + (level < 2u ? 5u * (level * shape_count + shape) : 10u * shape_count);
#ifdef BY_COMPUTE
  if (level < 2u) {
    add_batches(entry, command);
    return;
  }
#endif
  uint place = atomicAdd(commands[command + 1u], 1u);
  uint start = first_list + level * count + (level < 2u ? uint(start_of_shape) : 0u);
  lists[start + place] = entry;
}

void main() {
  uint i = thread_index();
  if (i >= count) return;
  Instance self = instances[i];
  uint shape = uint(self.more.y);
  vec4 size = shapes[shape];
  float radius = max(size.x, 0.5 * size.y) * self.more.x * 1.25;
  vec3 centre = self.place.xyz + vec3(0.0, 0.0, 0.5 * size.y * self.more.x);
  if (!may_show(clip_from_world, centre, radius)) return;
  float reached = length(centre - eye);
  // Small plants are simplified and left out at shorter distances.
  float reach = clamp(size.y * self.more.x / 7.0, 0.22, 1.5);
  float distance = reached / reach;
  if (distance > seen_until) return;
  sways[i] = sway_of(self.place.xyz, self.more.w);
  uint level = distance < whole_until ? 0u : distance < reduced_until ? 1u : 2u;
  float until = level == 0u ? whole_until : level == 1u ? reduced_until : seen_until;
  float part = fading > 0.0 ? clamp((until - distance) / (fading * until), 0.0, 1.0) : 1.0;
  add(i, shape, size.w, level, part, false);
  if (part < 1.0 && level < 2u) add(i, shape, size.w, level == 0u && reduced_until > whole_until ? 1u : 2u, part, true);
}
