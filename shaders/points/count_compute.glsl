#version 450
// Density: how many points lie in each cell of `cell` × `cell` pixels, and the sums of their colours. Cells are aligned to the
// whole picture. The counted area reaches beyond the canvas by `pad` cells, so that a blur at its edge, or at a tile's, knows
// its neighbours.
layout(local_size_x = 128) in;
#include "common/index.glsl"
uniform ivec2 size;  // cells, the pad included
uniform int pad, cell;
#define BEYOND float(pad * cell)
#include "points/point.glsl"
layout(std430, binding = 3) buffer Counts { uint counts[]; };  // planes of cells: count, and by colour r, g, b
uniform bool by_colour;

void main() {
  const uint i = thread_index();
  Point point;
  if (i >= count || !load_point(i, point)) return;
  const ivec2 at = ivec2(floor((point.pixel + tile_origin) / float(cell))) - ivec2(tile_origin) / cell + pad;
  if (any(lessThan(at, ivec2(0))) || any(greaterThanEqual(at, size))) return;
  const int place = at.y * size.x + at.x, plane = size.x * size.y;
  atomicAdd(counts[place], 1u);
  if (by_colour) {
    const uvec3 amount = uvec3(255 * point.colour + 0.5);
    for (int c = 0; c < 3; ++c) atomicAdd(counts[(c + 1) * plane + place], amount[c]);
  }
}
