// Marching tetrahedra: a cell is divided into the six tetrahedra around its diagonal, one for each order in which the
// axes can be gone along from corner 0 to corner 7 (corner c: bits 0, 1, 2 are its x, y, z). Every edge then goes from
// a corner to one with more bits, so that it belongs to the node at its lower end and has one of seven directions; the
// cells fit together without gaps.
#pragma once

#include <array>
#include <cstdint>

namespace kinescope::sim::landscape {

struct MarchingTables {
  // Corners of tetrahedron t, in the order of the path.
  std::uint8_t corner[6][4] = {};
  // For the tetrahedron and which of its corners are inside (bit p: corner[p]): up to two triangles, counter-clockwise
  // as seen from outside; each of their vertices lies on an edge: lower corner | direction << 3, direction 1 … 7.
  std::uint8_t edge[6][16][6] = {};
  std::uint8_t triangles_of_tetrahedron[16] = {};
  std::uint8_t triangles_of_cell[256] = {};  // by which corners of the cell are inside
};

namespace marching {

struct Place {
  int x, y, z;
};
constexpr Place corner_place(int c) {
  return {c & 1, c >> 1 & 1, c >> 2 & 1};
}
constexpr Place twice_middle(std::uint8_t edge) {
  const Place a = corner_place(edge & 7), b = corner_place((edge & 7) | edge >> 3);
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
constexpr Place operator-(Place a, Place b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
// Positive where the triangle turns counter-clockwise as seen from where `outward` points.
constexpr int facing(const std::uint8_t* triangle, Place outward) {
  const Place origin = twice_middle(triangle[0]);
  const Place u = twice_middle(triangle[1]) - origin, v = twice_middle(triangle[2]) - origin;
  return outward.x * (u.y * v.z - u.z * v.y) + outward.y * (u.z * v.x - u.x * v.z) +
         outward.z * (u.x * v.y - u.y * v.x);
}

constexpr std::uint8_t edge_between(int a, int b) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  return static_cast<std::uint8_t>(low | (high ^ low) << 3);
}

constexpr void fill_tetrahedron(MarchingTables& tables, int t, int mask) {
  const std::uint8_t* corner = tables.corner[t];
  std::uint8_t* edge = tables.edge[t][mask];
  int inside[4] = {}, outside[4] = {}, ins = 0, outs = 0;
  Place in_sum{0, 0, 0}, out_sum{0, 0, 0};
  for (int p = 0; p < 4; ++p) {
    const Place place = corner_place(corner[p]);
    Place& sum = mask >> p & 1 ? in_sum : out_sum;
    sum = {sum.x + place.x, sum.y + place.y, sum.z + place.z};
    (mask >> p & 1 ? inside[ins++] : outside[outs++]) = corner[p];
  }
  if (ins == 0 || outs == 0) return;
  int count = 3;
  if (ins == 2) {
    const std::uint8_t around[4] = {edge_between(inside[0], outside[0]), edge_between(inside[0], outside[1]),
                                    edge_between(inside[1], outside[1]), edge_between(inside[1], outside[0])};
    const int order[6] = {0, 1, 2, 0, 2, 3};
    for (int i = 0; i < 6; ++i) edge[i] = around[order[i]];
    count = 6;
  } else {
    for (int i = 0; i < 3; ++i)
      edge[i] = ins == 1 ? edge_between(inside[0], outside[i]) : edge_between(inside[i], outside[0]);
  }
  const Place outward{out_sum.x * ins - in_sum.x * outs, out_sum.y * ins - in_sum.y * outs,
                      out_sum.z * ins - in_sum.z * outs};
  if (facing(edge, outward) < 0)
    for (int i = 0; i < count; i += 3) {
      const std::uint8_t swapped = edge[i + 1];
      edge[i + 1] = edge[i + 2];
      edge[i + 2] = swapped;
    }
}

}  // namespace marching

constexpr MarchingTables make_marching_tables() {
  MarchingTables tables;
  constexpr int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (int t = 0; t < 6; ++t)
    for (int p = 1; p < 4; ++p)
      tables.corner[t][p] = static_cast<std::uint8_t>(tables.corner[t][p - 1] | 1 << orders[t][p - 1]);
  for (int mask = 0; mask < 16; ++mask) {
    const int inside = (mask & 1) + (mask >> 1 & 1) + (mask >> 2 & 1) + (mask >> 3 & 1);
    tables.triangles_of_tetrahedron[mask] = static_cast<std::uint8_t>(inside == 2 ? 2 : inside % 4 ? 1 : 0);
    for (int t = 0; t < 6; ++t) marching::fill_tetrahedron(tables, t, mask);
  }
  for (int cell = 0; cell < 256; ++cell)
    for (int t = 0; t < 6; ++t) {
      int mask = 0;
      for (int p = 0; p < 4; ++p) mask |= (cell >> tables.corner[t][p] & 1) << p;
      tables.triangles_of_cell[cell] =
          static_cast<std::uint8_t>(tables.triangles_of_cell[cell] + tables.triangles_of_tetrahedron[mask]);
    }
  return tables;
}

}  // namespace kinescope::sim::landscape
