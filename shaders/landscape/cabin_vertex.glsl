#version 450
#include "landscape/frame.glsl"
layout(location = 1) in vec3 at;
layout(location = 2) in vec3 normal_at;
layout(location = 3) in vec2 uv_at;
layout(location = 4) in vec4 colour_at;
uniform vec4 place;  // floor's centre, yaw
out vec3 position, normal, tint, own;
out vec2 uv;
flat out int kind;
out float gl_ClipDistance[1];

void main() {
  own = at;
  position = place.xyz + turned(at, place.w);
  normal = turned(normal_at, place.w);
  tint = colour_at.rgb;
  uv = uv_at;
  kind = int(colour_at.a);
  gl_Position = view.clip_from_world * vec4(position, 1.0);
  gl_ClipDistance[0] = dot(view.clip_plane, vec4(position, 1.0));
}
