#version 450
// A tuft has three blades of three triangles each.
#include "landscape/frame.glsl"
#include "landscape/land/tufts.glsl"
layout(std430, binding = 0) readonly buffer Tufts { Tuft tufts[]; };
out vec3 normal, tint;

const vec2 outline[9] = vec2[9](vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(0.7, 0.5), vec2(-1.0, 0.0), vec2(0.7, 0.5),
                                vec2(-0.7, 0.5), vec2(-0.7, 0.5), vec2(0.7, 0.5), vec2(0.0, 1.0));

vec3 colour_of(float packed_colour) {
  vec3 root = unpackUnorm4x8(floatBitsToUint(packed_colour)).rgb;
  return root * root;
}

void main() {
  Tuft self = tufts[gl_InstanceID];
  int blade = gl_VertexID / 9;
  vec2 shape = outline[gl_VertexID % 9];
  float turn = self.shape.z + (2.0 * pi) * 0.37 * float(blade);
  vec2 ahead = vec2(cos(turn), sin(turn)), across = vec2(-ahead.y, ahead.x);
  vec2 bend = ahead * 0.35 + frame.wind.xy * self.look.x;
  vec3 position = self.root.xyz + vec3(ahead * 0.06 + across * shape.x * self.shape.w, -0.02);
  position += self.root.w * vec3(bend * shape.y * shape.y, shape.y);
  vec3 n = vec3(self.shape.xy, sqrt(max(0.0, 1.0 - dot(self.shape.xy, self.shape.xy))));
  normal = normalize(n + 0.35 * vec3(across * shape.x + 0.3 * ahead, 0.0));
  tint = mix(colour_of(self.look.y), colour_of(self.look.z), shape.y);
  gl_Position = view.clip_from_world * vec4(position, 1.0);
}
