// Marching tetrahedra: a cell is divided into the six tetrahedra around its diagonal, one for each order of the axes on
// a path from corner 0 to corner 7 (bits 0, 1, 2 of a corner's number are its x, y, z). Every edge then goes from a
// corner to one with more bits, so that it belongs to the node at its lower end and has one of seven directions; the
// cells fit together without gaps.
#pragma once

#include <array>
#include <cstdint>

namespace kinescope::sim::landscape {

struct MarchingTables {
  // [tetrahedron][mask]: at most two triangles, counter-clockwise seen from outside. Bit p of the mask is set if the
  // p-th corner of the tetrahedron's path is inside. Each vertex is on an edge, which is given by nine bits: x, y, z of
  // the edge's lower corner in bits 0, 4 and 8, its direction in bits 1 to 3.
  std::uint32_t triangle[6][16][2] = {};
};

// The path of tetrahedron t: from corner 0 along one axis to a second, along another to a third, and to corner 7.
constexpr int second_corner(int t) {
  return 1 << (t >> 1);
}
constexpr int third_corner(int t) {
  return 0x656353 >> 4 * t & 7;
}

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
// Positive if the triangle is counter-clockwise seen from the side that `outward` points to.
constexpr int facing(const std::uint8_t* triangle, Place outward) {
  const Place origin = twice_middle(triangle[0]);
  const Place u = twice_middle(triangle[1]) - origin, v = twice_middle(triangle[2]) - origin;
  return outward.x * (u.y * v.z - u.z * v.y) + outward.y * (u.z * v.x - u.x * v.z) +
         outward.z * (u.x * v.y - u.y * v.x);
}

constexpr std::uint32_t packed(const std::uint8_t* triangle) {
  std::uint32_t bits = 0;
  for (int k = 0; k < 3; ++k) {
    const std::uint32_t c = triangle[k] & 7u, direction = triangle[k] >> 3;
    bits |= ((c & 1u) | direction << 1 | (c >> 1 & 1u) << 4 | (c >> 2) << 8) << 9 * k;
  }
  return bits;
}

constexpr std::uint8_t edge_between(int a, int b) {
  const int low = a < b ? a : b, high = a < b ? b : a;
  return static_cast<std::uint8_t>(low | (high ^ low) << 3);
}

// Adds the triangles of one tetrahedron, given its corners and which of them are inside.
constexpr void add_triangles(std::uint32_t* triangles, const std::uint8_t* corner, int mask) {
  std::uint8_t edge[6] = {};
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
  for (int i = 0; i < count; i += 3) triangles[i / 3] = packed(edge + i);
}

}  // namespace marching

constexpr MarchingTables make_marching_tables() {
  MarchingTables tables;
  for (int t = 0; t < 6; ++t) {
    const std::uint8_t path[4] = {0, static_cast<std::uint8_t>(second_corner(t)),
                                  static_cast<std::uint8_t>(third_corner(t)), 7};
    for (int mask = 0; mask < 16; ++mask) marching::add_triangles(tables.triangle[t][mask], path, mask);
  }
  return tables;
}

}  // namespace kinescope::sim::landscape
