#version 450
#include "landscape/frame.glsl"
#include "landscape/plants/plants.glsl"
layout(location = 0) in uint entry;
layout(location = 1) in vec3 at;
layout(location = 2) in vec3 normal_at;
layout(location = 3) in vec2 uv_at;
layout(location = 4) in vec4 colour_at;
out vec3 normal, tint;
out vec3 uv;  // z: the kind as in MeshVertex
out float crown;
flat out float shown;
out float gl_ClipDistance[1];

void main() {
  Instance self = instances[instance_of(entry)];
  shown = shown_of(entry);
  PlantLook look = look_of(self, shapes[uint(self.more.y)].xy, at, normal_at, uv_at, colour_at);
  normal = look.normal;
  tint = look.tint;
  uv = look.uv;
  crown = look.crown;
  vec3 position = moved(self, at, colour_at.a >= 0.0, sways[instance_of(entry)]);
  gl_Position = view.clip_from_world * vec4(position, 1.0);
  gl_ClipDistance[0] = dot(view.clip_plane, vec4(position, 1.0));
}
