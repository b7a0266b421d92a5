#version 450
// The lowest and the highest height in each square of cells; the quadtree culls by them.
#include "landscape/shared.glsl"
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = heights_unit) uniform sampler2D heights;
layout(std430, binding = 0) writeonly buffer Extremes { vec2 extremes[]; };
uniform int tiles, cells;

void main() {
  ivec2 tile = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(tile, ivec2(tiles)))) return;
  ivec2 last = textureSize(heights, 0) - 1;
  vec2 found = vec2(1e30, -1e30);
  for (int y = 0; y <= cells; ++y)
    for (int x = 0; x <= cells; ++x) {
      float z = texelFetch(heights, min(tile * cells + ivec2(x, y), last), 0).r;
      found = vec2(min(found.x, z), max(found.y, z));
    }
  extremes[tile.y * tiles + tile.x] = found;
}
