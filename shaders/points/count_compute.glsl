#version 450
// Density: the number of points in each cell of `cell` × `cell` pixels, and the sums of their colours. Cells are
// aligned to the whole picture. The counted area extends beyond the canvas by `pad` cells, so that the blur near an
// edge, or at a tile's, has its neighbours.
layout(local_size_x = 128) in;
#include "common/index.glsl"
uniform ivec2 size;  // in cells, with the pad
uniform int pad, cell;
#define BEYOND float(pad * cell)
#include "points/point.glsl"
layout(std430, binding = 3) buffer Counts { uint counts[]; };  // planes of cells: the count, and for colours r, g, b
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
