// The surface where a field on a grid equals `iso`, by marching tetrahedra (B. Payne, A. Toga, 1990), as an indexed
// mesh: each vertex is made once, by the node at the lower end of its edge; its normal is the field's gradient,
// interpolated between the nodes. Bricks of 8³ nodes; those that the surface does not pass cost one test.
//
// In a brick vertices come in the order (z, half of its rows, direction, node), triangles in (z, half, tetrahedron,
// node): a word of 32 nodes for each direction or tetrahedron.
#pragma once

#include <cmath>

#include "sim/landscape/surface_bits.hpp"

namespace kinescope::sim::landscape {

KINESCOPE_HD inline float inverse_root(float square) {
#ifdef __CUDA_ARCH__
  return rsqrtf(square);
#else
  return 1.0f / std::sqrt(square);
#endif
}

struct MakeVertices {
  SurfacePlan plan;
  static constexpr int lanes = 128;
  static constexpr int width = brick_side + 3;  // one node before, two after
  struct Memory {
    float value[width * width * width];
    BrickBits bits;
    std::uint32_t word[edge_words], start[edge_words];
    std::uint16_t edge[brick_nodes * 7];  // node | direction << 9
  };

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    const std::int64_t brick = plan.passed[item];
    const Pair start = plan.starts[brick], end = plan.starts[brick + 1];
    const bool fits = plan.fits(end);
    if (group.lane() == 0) {
      const Pair all = plan.starts[plan.grid.brick_count()];
      if (fits ? end.first == all.first && end.second == all.second : plan.fits(start)) note(fits ? end : start, !fits);
    }
    const BrickCorner corner(plan.grid, brick);
    memory.bits.load(group, plan, corner);
    if (fits) load(group, memory, corner);
    group.sync();
    for (int e = group.lane(); e < edge_words; e += group.lanes()) {
      const int half_plane = e / 7, d = e - 7 * half_plane + 1;
      const std::uint32_t passed = (memory.bits.at(half_plane, 0) ^ memory.bits.at(half_plane, d)) &
                                   half_in_grid(plan.grid, corner, half_plane, d);
      memory.word[e] = passed;
      memory.start[e] = static_cast<std::uint32_t>(count_bits(passed));
    }
    group.sync();
    group.scan(memory.start, edge_words);
    group.sync();
    for (int e = group.lane(); e < edge_words; e += group.lanes())
      plan.edges[brick * edge_words + e] = {memory.word[e], start.first + memory.start[e]};
    if (!fits) return;
    for (int e = group.row(); e < edge_words; e += group.rows()) {
      const int half_plane = e / 7, d = e - 7 * half_plane + 1;
      group.each_bit(memory.word[e], [&](int bit, std::uint32_t rank) {
        memory.edge[memory.start[e] + rank] = static_cast<std::uint16_t>(half_plane << 5 | bit | d << 9);
      });
    }
    group.sync();
    const int count = static_cast<int>(end.first - start.first);
    for (int v = group.lane(); v < count; v += group.lanes())
      make(memory, corner, memory.edge[v], start.first + static_cast<std::uint32_t>(v));
  }

 private:
  KINESCOPE_HD void note(Pair sums, bool overflow) const {
    plan.to.draw[0] = sums.second * 3;
    plan.to.draw[5] = sums.first;
    plan.to.draw[7] = overflow;
  }

  template <class Group>
  KINESCOPE_HD void load(Group& group, Memory& memory, const BrickCorner& corner) const {
    constexpr int across = Group::lanes() > 1 ? 16 : 1;  // lanes to a row, which is a little shorter
    const int last = plan.grid.nodes - 1;
    for (int i = group.lane() % across; i < width; i += across) {
      const float* const from = plan.values + clamp_index(corner.x + i - 1, last);
      for (int row = group.lane() / across; row < width * width; row += Group::lanes() / across) {
        const int y = clamp_index(corner.y + row % width - 1, last), z = clamp_index(corner.z + row / width - 1, last);
        memory.value[row * width + i] = from[plan.grid.node(0, y, z)];
      }
    }
  }
  KINESCOPE_HD static int place(int x, int y, int z) { return ((z + 1) * width + y + 1) * width + x + 1; }

  struct Vector {
    float x, y, z;
  };
  // Per node distance; central where both neighbours are in the grid.
  KINESCOPE_HD Vector gradient(const Memory& memory, const BrickCorner& corner, int x, int y, int z) const {
    const int last = plan.grid.nodes - 1;
    const float* at = memory.value + place(x, y, z);
    const float fx = corner.x + x == 0 || corner.x + x == last ? 1.0f : 0.5f;
    const float fy = corner.y + y == 0 || corner.y + y == last ? 1.0f : 0.5f;
    const float fz = corner.z + z == 0 || corner.z + z == last ? 1.0f : 0.5f;
    return {fx * (at[1] - at[-1]), fy * (at[width] - at[-width]), fz * (at[width * width] - at[-width * width])};
  }

  KINESCOPE_HD void make(const Memory& memory, const BrickCorner& corner, std::uint32_t edge, std::uint32_t v) const {
    const int i = static_cast<int>(edge & 511u), d = static_cast<int>(edge >> 9);
    const int x = i & 7, y = i >> 3 & 7, z = i >> 6, dx = d & 1, dy = d >> 1 & 1, dz = d >> 2;
    const float a = memory.value[place(x, y, z)], b = memory.value[place(x + dx, y + dy, z + dz)];
    const float t = (plan.iso - a) / (b - a);
    const float at[3] = {static_cast<float>(corner.x + x) + t * static_cast<float>(dx),
                         static_cast<float>(corner.y + y) + t * static_cast<float>(dy),
                         static_cast<float>(corner.z + z) + t * static_cast<float>(dz)};
    for (int c = 0; c < 3; ++c)
      plan.to.positions[3 * std::int64_t{v} + c] = plan.grid.corner[c] + at[c] * plan.grid.spacing;
    const Vector g = gradient(memory, corner, x, y, z), h = gradient(memory, corner, x + dx, y + dy, z + dz);
    const float nx = g.x + t * (h.x - g.x), ny = g.y + t * (h.y - g.y), nz = g.z + t * (h.z - g.z);
    const float square = nx * nx + ny * ny + nz * nz, inverse = square > 0 ? -inverse_root(square) : 0.0f;
    plan.to.normals[3 * std::int64_t{v}] = nx * inverse;
    plan.to.normals[3 * std::int64_t{v} + 1] = ny * inverse;
    plan.to.normals[3 * std::int64_t{v} + 2] = square > 0 ? nz * inverse : 1.0f;
  }
};

struct MakeTriangles {
  SurfacePlan plan;
  static constexpr int lanes = 128;
  static constexpr int words = 2 * brick_side * 6;                 // of half a plane and a tetrahedron
  static constexpr int near_words = (brick_side + 1) * 3 * 2 * 7;  // by z, half or the row beyond, x beyond, direction
  struct Tetrahedra {
    std::uint32_t corner[4];  // of each node's, in the order of its path
  };
  struct Memory {
    BrickBits bits;
    EdgeWord edges[near_words];
    Tetrahedra tetrahedra[words];
    Pair word[words];  // with one triangle at least, with two
    std::uint32_t start[words];
    std::uint16_t triangle[brick_nodes * 12];  // node of the half | second << 5 | word << 6
  };

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    const std::int64_t brick = plan.passed[item];
    const Pair start = plan.starts[brick], end = plan.starts[brick + 1];
    if (!plan.fits(end) || start.second == end.second) return;
    const BrickCorner corner(plan.grid, brick);
    memory.bits.load(group, plan, corner);
    for (int e = group.lane(); e < near_words; e += group.lanes()) memory.edges[e] = near_edges(corner, e);
    group.sync();
    for (int e = group.lane(); e < words; e += group.lanes()) classify(memory, corner, e);
    group.sync();
    group.scan(memory.start, words);
    group.sync();
    for (int e = group.row(); e < words; e += group.rows()) list(group, memory, e);
    group.sync();
    const int count = static_cast<int>(end.second - start.second);
    const bool overflow = plan.to.draw[7] != 0;
    for (int n = group.lane(); n < count; n += group.lanes())
      make(memory, memory.triangle[n], overflow, plan.to.indices + 3 * (std::int64_t{start.second} + n));
  }

 private:
  // Of this brick and of the next ones' first nodes.
  KINESCOPE_HD EdgeWord near_edges(const BrickCorner& corner, int e) const {
    const int direction = e % 7, beyond_x = e / 7 % 2, half = e / 14 % 3, z = e / 42, last = plan.grid.bricks - 1;
    const int bx = clamp_index((corner.x >> 3) + beyond_x, last), by = clamp_index((corner.y >> 3) + half / 2, last);
    const int bz = clamp_index((corner.z + z) >> 3, last);
    return plan.edges[plan.grid.brick(bx, by, bz) * edge_words + ((z & 7) * 2 + half % 2) * 7 + direction];
  }

  KINESCOPE_HD void classify(Memory& memory, const BrickCorner& corner, int e) const {
    const int half_plane = e / 6, t = e - 6 * half_plane;
    const Tetrahedra path{{memory.bits.at(half_plane, 0), memory.bits.at(half_plane, second_corner(t)),
                           memory.bits.at(half_plane, third_corner(t)), memory.bits.at(half_plane, 7)}};
    const std::uint32_t cells = half_in_grid(plan.grid, corner, half_plane, 7);
    const auto [one, two] = tetrahedra(path.corner[0], path.corner[1], path.corner[2], path.corner[3]);
    memory.tetrahedra[e] = path;
    memory.word[e] = {one & cells, two & cells};
    memory.start[e] = static_cast<std::uint32_t>(count_bits(one & cells) + count_bits(two & cells));
  }

  template <class Group>
  KINESCOPE_HD static void list(Group& group, Memory& memory, int e) {
    const Pair word = memory.word[e];
    group.each_bit(word.first, [&](int bit, std::uint32_t rank) {
      const std::uint32_t own = 1u << bit;
      const std::uint32_t place =
          memory.start[e] + rank + static_cast<std::uint32_t>(count_bits(word.second & (own - 1)));
      const auto code = static_cast<std::uint16_t>(e << 6 | bit);
      memory.triangle[place] = code;
      if (word.second & own) memory.triangle[place + 1] = static_cast<std::uint16_t>(code | 32);
    });
  }

  KINESCOPE_HD void make(const Memory& memory, std::uint32_t code, bool overflow, std::uint32_t* to) const {
    const int bit = static_cast<int>(code & 31u), e = static_cast<int>(code >> 6), half_plane = e / 6;
    const Tetrahedra path = memory.tetrahedra[e];
    std::uint32_t mask = 0;
    for (int p = 0; p < 4; ++p) mask |= (path.corner[p] >> bit & 1u) << p;
    const std::uint32_t edges = plan.tables->triangle[e - 6 * half_plane][mask][code >> 5 & 1];
    // Its node's place, as its edges' lower ends are given in the table: z, y and x four bits each.
    const std::uint32_t node =
        static_cast<std::uint32_t>((half_plane >> 1) << 8 | (half_plane & 1) << 6 | (bit >> 3) << 4 | (bit & 7));
    std::uint32_t vertex[3];
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t edge = edges >> 9 * k, lower = node + (edge & 0x111u), direction = edge >> 1 & 7u;
      const EdgeWord& word =
          memory.edges[(lower >> 8) * 42 + (lower >> 6 & 3u) * 14 + (lower >> 3 & 1u) * 7 + direction];
      const std::uint32_t place = (lower >> 1 & 24u) | (lower & 7u);
      vertex[k] = word.start + static_cast<std::uint32_t>(count_bits(word.passed & ((1u << place) - 1u)));
    }
    // A triangle whose vertices did not all fit becomes one without area.
    const std::uint32_t made = plan.to.draw[5];
    const bool whole = !overflow || (vertex[0] < made && vertex[1] < made && vertex[2] < made);
    for (int k = 0; k < 3; ++k) to[k] = whole ? vertex[k] : 0;
  }
};

}  // namespace kinescope::sim::landscape
