#version 450
// A surface lit by one distant lamp from the upper left, and by the sky.
layout(std430, binding = 1) readonly buffer Palette { uint palette[]; };
uniform float low, high;
in float value;
in vec3 normal;
out vec4 colour;

void main() {
  const vec3 lamp = normalize(vec3(-0.5, 0.6, 0.8));
  const float part = clamp((value - low) / (high - low), 0.0, 1.0);
  const vec3 own = unpackUnorm4x8(palette[uint(255 * part + 0.5)]).rgb;
  const float light = 0.45 + 0.65 * max(dot(normalize(normal), lamp), 0.0);
  colour = vec4(min(own * light, 1.0), 1);
}
