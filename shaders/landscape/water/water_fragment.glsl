#version 450
// Blends the water over the picture.
#include "landscape/lighting.glsl"
#include "landscape/water/water.glsl"
layout(location = 0) out vec4 colour;

void main() {
  vec3 ray = ray_through(gl_FragCoord.xy);
  colour = water_colour(view.camera.xyz + max(meets_water(ray), 0.0) * ray, gl_FragCoord.xy);
}
