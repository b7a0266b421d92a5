#version 450
// Draws a plant from one side, upright, into its cell of the pictures.
#include "landscape/frame.glsl"
#include "landscape/plants/plants.glsl"
layout(location = 1) in vec3 at;
layout(location = 2) in vec3 normal_at;
layout(location = 3) in vec2 uv_at;
layout(location = 4) in vec4 colour_at;
uniform float angle;  // the direction from which the plant is seen
uniform vec2 size;    // radius, height
// Twigs and trunks are made thicker by this part of the picture, so that they stay visible in small pictures.
uniform float thicker;
out vec3 normal, tint;
out vec3 uv;
out float crown;

void main() {
  float c = cos(angle), s = sin(angle);
  float across = -s * at.x + c * at.y, towards = c * at.x + s * at.y;
  if (colour_at.a < 0.0) across += thicker * size.x * (-s * normal_at.x + c * normal_at.y);
  normal = colour_at.a >= 0.0 ? crown_normal(normal_at, at, size.y) : normal_at;
  crown = crown_of(at, size);
  tint = colour_at.rgb;
  uv = vec3(uv_at.x, is_bark(colour_at.a) ? length(at) : uv_at.y, colour_at.a);
  gl_Position = vec4(across / size.x, 2.0 * at.z / size.y - 1.0, 0.5 + 0.45 * towards / size.x, 1.0);
}
