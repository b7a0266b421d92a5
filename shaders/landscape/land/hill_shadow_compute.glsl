#version 450
// For each place of the map: the height below which hills hide the key light, and the distance to the hill. It marches
// towards the light with growing steps, and averages heights over the width of a step.
#include "landscape/shared.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rg32f, binding = 0) writeonly uniform image2D result;
layout(binding = heights_unit) uniform sampler2D heights;
uniform vec3 to_light;
uniform float extent, highest;
uniform int steps;

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy), size = imageSize(result);
  if (any(greaterThanEqual(pixel, size))) return;
  vec2 p = (vec2(pixel) + 0.5) / vec2(size) * extent;
  float across = length(to_light.xy);
  vec2 ray = across > 1e-4 ? to_light.xy / across : vec2(1.0, 0.0);
  float rise = to_light.z / max(across, 1e-4);  // metres up per metre along
  float spacing = extent / float(textureSize(heights, 0).x - 1);
  float growth = pow(700.0, 1.0 / float(steps));
  float here = textureLod(heights, p / extent, 0.0).r;
  vec2 found = vec2(-1e4, 0.0);
  float s = 2.0 * spacing;
  for (int i = 0; i < steps; ++i) {
    vec2 q = p + s * ray;
    if (any(notEqual(q, clamp(q, vec2(0.0), vec2(extent)))) || here + s * rise > highest + 1.0) break;
    float lod = max(0.0, log2(s * (growth - 1.0) / spacing));
    float shade = textureLod(heights, q / extent, lod).r - s * rise;
    if (shade > found.x) found = vec2(shade, s);
    s *= growth;
    s += 0.35 * spacing;
  }
  imageStore(result, pixel, vec4(found, 0.0, 0.0));
}
