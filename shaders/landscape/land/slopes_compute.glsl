#version 450
// The terrain's slopes by central differences, one-sided at the edges.
#include "landscape/shared.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(rg16f, binding = 0) writeonly uniform image2D result;
layout(binding = heights_unit) uniform sampler2D heights;
uniform float spacing;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), last = imageSize(result) - 1;
  if (any(greaterThan(p, last))) return;
  ivec2 low = max(p - 1, 0), high = min(p + 1, last);
  float x = texelFetch(heights, ivec2(high.x, p.y), 0).r - texelFetch(heights, ivec2(low.x, p.y), 0).r;
  float y = texelFetch(heights, ivec2(p.x, high.y), 0).r - texelFetch(heights, ivec2(p.x, low.y), 0).r;
  imageStore(result, p, vec4(vec2(x, y) / (vec2(high - low) * spacing), 0.0, 0.0));
}
