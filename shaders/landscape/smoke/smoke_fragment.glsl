#version 450
// A translucent, lit surface: thinner where it is seen edge-on and where it has risen high.
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
  vec3 q = position - vec3(0.6 * frame.wind.z * frame.wind.xy, 1.7) * seconds();
  float billows = textureLod(cloud_noise, q / 11.0, 0.0).r;
  float alpha = mix(0.03, 0.62, facing * facing) * smoothstep(0.35, 0.8, billows) * (1.0 - 0.85 * smoothstep(0.15, 0.95, high));
  colour = vec4(through_air(radiance, position), alpha);
}
