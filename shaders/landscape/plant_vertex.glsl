#version 450
#include "landscape/frame.glsl"
#include "landscape/plants.glsl"
layout(location = 0) in uint entry;
layout(location = 1) in vec3 at;
layout(location = 2) in vec3 normal_at;
layout(location = 3) in vec2 uv_at;
layout(location = 4) in vec4 colour_at;
out vec3 normal, tint;
out vec3 uv;  // z: the leaf's shape, or −1
out float crown;
flat out float shown;
out float gl_ClipDistance[1];

void main() {
  Instance self = instances[instance_of(entry)];
  shown = shown_of(entry);
  vec4 size = shapes[uint(self.more.y)];
  vec3 offset = turned(at, self.place.w) * self.more.x;
  float leaf = colour_at.a;
  vec3 moved = bent(offset, sways[instance_of(entry)]);
  if (leaf >= 0.0) moved = fluttered(moved, self.more.w);
  vec3 position = self.place.xyz + moved;
  normal = turned(normal_at, self.place.w);
  if (leaf >= 0.0) {
    // A crown is shaded as a whole rather than leaf by leaf.
    vec3 round = normalize(offset - vec3(0.0, 0.0, 0.45 * size.y * self.more.x) + vec3(0.0, 0.0, 1e-3));
    normal = normalize(mix(normal, round, 0.65));
  }
  crown = clamp(0.45 + 0.75 * length(vec3(at.xy, at.z - 0.55 * size.y)) / max(size.x, 0.5 * size.y), 0.4, 1.0);
  tint = colour_at.rgb * mix(vec3(0.78, 0.85, 0.8), vec3(1.22, 1.12, 0.95), self.more.z);
  uv = vec3(uv_at.x, leaf >= 0.0 ? uv_at.y : length(at), leaf);  // bark: how far from the root
  gl_Position = view.clip_from_world * vec4(position, 1.0);
  gl_ClipDistance[0] = dot(view.clip_plane, vec4(position, 1.0));
}
