#version 450
// A far plant: its picture from the side that is nearest to the eye's, standing upright.
#include "landscape/frame.glsl"
#include "landscape/plants.glsl"
layout(location = 0) in uint instance;
uniform bool parallel;    // seen from the light
uniform float shape_count;
out vec2 uv;
out vec4 self_more;
out float yaw;
out float gl_ClipDistance[1];

void main() {
  Instance self = instances[instance];
  vec4 size = shapes[uint(self.more.y)];
  vec3 to_eye = parallel ? frame.key.xyz : view.camera.xyz - self.place.xyz;
  float angle = atan(to_eye.y, to_eye.x), turn = angle - self.place.w;
  float side = mod(round(turn / 0.78539816), 8.0);
  vec2 corner = vec2(gl_VertexID == 1 || gl_VertexID == 2 || gl_VertexID == 4, gl_VertexID == 2 || gl_VertexID == 4 || gl_VertexID == 5);
  vec3 across = vec3(-sin(angle), cos(angle), 0.0);
  vec3 offset = (across * (2.0 * corner.x - 1.0) * size.x + vec3(0.0, 0.0, corner.y * size.y)) * self.more.x;
  vec3 position = swayed(offset, self.place.xyz, self.more.w, 0.0);
  uv = (vec2(side, self.more.y) + mix(vec2(0.01), vec2(0.99), corner)) / vec2(8.0, shape_count);
  self_more = self.more;
  yaw = self.place.w;
  gl_Position = view.clip_from_world * vec4(position, 1.0);
  gl_ClipDistance[0] = dot(view.clip_plane, vec4(position, 1.0));
}
