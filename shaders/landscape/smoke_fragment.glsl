#version 450
// A translucent, lit surface: thin where it is seen edge-on, thinner the higher it has risen.
#include "landscape/lighting.glsl"
uniform vec4 cube;  // its corner, its side
in vec3 position, normal;
layout(location = 0) out vec4 colour;

void main() {
  vec3 to_camera = normalize(view.camera.xyz - position);
  vec3 n = normalize(gl_FrontFacing ? normal : -normal);
  float facing = abs(dot(n, to_camera)), high = clamp((position.z - cube.z) / cube.w, 0.0, 1.0);
  float wrapped = 0.5 + 0.5 * dot(n, frame.key.xyz);
  float through = pow(max(dot(-to_camera, frame.key.xyz), 0.0), 4.0);
  vec3 key = light.key_colour.rgb * key_visibility(position, n);
  vec3 radiance = 0.62 / pi * (key * (0.75 * wrapped * wrapped + 0.5 * through) + ambient_light(n) + lamp_light(position, n));
  float alpha = mix(0.10, 0.52, facing * facing) * (1.0 - 0.85 * smoothstep(0.15, 0.95, high));
  colour = vec4(through_air(radiance, position), alpha);
}
