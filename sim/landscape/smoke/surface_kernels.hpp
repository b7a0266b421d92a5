// The surface where a field on a grid equals `iso`, by marching tetrahedra (B. Payne, A. Toga, 1990), as an indexed
// mesh. Each vertex is made once, by the node at the lower end of its edge; its normal is the field's gradient,
// interpolated between the nodes. The field is divided into bricks of 8³ nodes; a brick that the surface does not cross
// costs one test.
//
// Within a brick the vertices are ordered by (z, half of its rows, direction, node), the triangles by (z, half,
// tetrahedron, node): a word of 32 nodes for each direction or tetrahedron.
#pragma once

#include <cmath>

#include "sim/landscape/smoke/surface_bits.hpp"

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
    std::uint16_t edge[brick_nodes * 7];  // node of the half | word << 5
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
      const int half_plane = e >> 3, d = e & 7;
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
    for (int e = group.row(); e < edge_words; e += group.rows())
      group.each_bit(memory.word[e], [&](int bit, std::uint32_t rank) {
        memory.edge[memory.start[e] + rank] = static_cast<std::uint16_t>(e << 5 | bit);
      });
    group.sync();
    const int count = static_cast<int>(end.first - start.first);
    const bool border = corner.at_border(plan.grid);
    for (int v = group.lane(); v < count; v += group.lanes()) {
      const std::uint32_t edge = memory.edge[v], number = start.first + static_cast<std::uint32_t>(v);
      if (border)
        make<true>(memory, corner, edge, number);
      else
        make<false>(memory, corner, edge, number);
    }
  }

 private:
  KINESCOPE_HD void note(Pair sums, bool overflow) const {
    plan.to.draw[0] = sums.second * 3;
    plan.to.draw[5] = sums.first;
    plan.to.draw[7] = overflow;
  }

  template <class Group>
  KINESCOPE_HD void load(Group& group, Memory& memory, const BrickCorner& corner) const {
    const int last = plan.grid.nodes - 1;
    const auto layer = static_cast<std::uint32_t>(plan.grid.nodes * plan.grid.nodes);
    for (int i = group.column(); i < width * width; i += group.columns()) {
      const int x = clamp_index(corner.x + i % width - 1, last), y = clamp_index(corner.y + i / width - 1, last);
      const auto row = static_cast<std::uint32_t>(y * plan.grid.nodes + x);
      for (int z = group.row(); z < width; z += group.rows()) {
        const auto plane = static_cast<std::uint32_t>(clamp_index(corner.z + z - 1, last));
        memory.value[z * (width * width) + i] = plan.values[plane * layer + row];
      }
    }
  }
  KINESCOPE_HD static int place(int x, int y, int z) { return ((z + 1) * width + y + 1) * width + x + 1; }

  struct Vector {
    float x, y, z;
  };
  // Twice the gradient, per node distance. Central differences if both neighbours are in the grid, else one-sided ones;
  // these occur only in bricks at the grid's border.
  template <bool border>
  KINESCOPE_HD Vector gradient(const float* at, int x, int y, int z) const {
    const Vector g{at[1] - at[-1], at[width] - at[-width], at[width * width] - at[-width * width]};
    if constexpr (!border) return g;
    const int last = plan.grid.nodes - 1;
    const auto factor = [&](int i) { return i == 0 || i == last ? 2.0f : 1.0f; };
    return {factor(x) * g.x, factor(y) * g.y, factor(z) * g.z};
  }

  template <bool border>
  KINESCOPE_HD void make(const Memory& memory, const BrickCorner& corner, std::uint32_t edge, std::uint32_t v) const {
    const int e = static_cast<int>(edge >> 5), bit = static_cast<int>(edge & 31u);
    const int x = bit & 7, y = (e >> 1 & 4) | bit >> 3, z = e >> 4, dx = e & 1, dy = e >> 1 & 1, dz = e >> 2 & 1;
    const float* const low = memory.value + place(x, y, z);
    const float* const high = low + (dz * width + dy) * width + dx;
    const int gx = corner.x + x, gy = corner.y + y, gz = corner.z + z;
    const float t = (plan.iso - *low) / (*high - *low);
    const float at[3] = {static_cast<float>(gx) + t * static_cast<float>(dx),
                         static_cast<float>(gy) + t * static_cast<float>(dy),
                         static_cast<float>(gz) + t * static_cast<float>(dz)};
    float* const position = plan.to.positions + 3 * std::size_t{v};
    for (int c = 0; c < 3; ++c) position[c] = std::fma(at[c], plan.grid.spacing, plan.grid.corner[c]);
    const Vector g = gradient<border>(low, gx, gy, gz), h = gradient<border>(high, gx + dx, gy + dy, gz + dz);
    const float nx = std::fma(t, h.x - g.x, g.x), ny = std::fma(t, h.y - g.y, g.y), nz = std::fma(t, h.z - g.z, g.z);
    const float square = std::fma(nx, nx, std::fma(ny, ny, nz * nz));
    const float inverse = square > 0 ? -inverse_root(square) : 0.0f;
    float* const normal = plan.to.normals + 3 * std::size_t{v};
    normal[0] = nx * inverse;
    normal[1] = ny * inverse;
    normal[2] = square > 0 ? nz * inverse : 1.0f;
  }
};

struct MakeTriangles {
  SurfacePlan plan;
  static constexpr int lanes = 128;
  static constexpr int words = 2 * brick_side * 8;                 // of half a plane and one of the six tetrahedra
  static constexpr int near_words = (brick_side + 1) * 4 * 2 * 8;  // by z, half or beyond, x beyond, direction
  struct Tetrahedra {
    std::uint32_t corner[4];  // the corners of each node's tetrahedron, in the order of its path
  };
  struct Memory {
    BrickBits bits;
    EdgeWord edges[near_words];
    Tetrahedra tetrahedra[words];
    Pair word[words];  // tetrahedra with at least one triangle, and with two
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
    load_edges(group, memory, corner);
    group.sync();
    for (int e = group.lane(); e < words; e += group.lanes()) classify(memory, corner, e);
    group.sync();
    group.scan(memory.start, words);
    group.sync();
    for (int e = group.row(); e < words; e += group.rows()) list(group, memory, e);
    group.sync();
    const int count = static_cast<int>(end.second - start.second);
    const bool overflow = plan.to.draw[7] != 0;
    std::uint32_t* const to = plan.to.indices + 3 * std::size_t{start.second};
    for (int n = group.lane(); n < count; n += group.lanes()) make(memory, memory.triangle[n], overflow, to + 3 * n);
  }

 private:
  // Loads the edge words of this brick, and of the nodes of the next bricks that its cells share.
  template <class Group>
  KINESCOPE_HD void load_edges(Group& group, Memory& memory, const BrickCorner& corner) const {
    constexpr int rows = (brick_side + 1) * 3 * 2;  // of eight words
    const int last = plan.grid.bricks - 1;
    for (int i = group.lane(); i < 8 * rows; i += group.lanes()) {
      const int direction = i & 7, beyond_x = i >> 3 & 1, row = i >> 4, z = row / 3, half = row - 3 * z;
      const int bx = clamp_index((corner.x >> 3) + beyond_x, last);
      const int by = clamp_index((corner.y >> 3) + (half >> 1), last), bz = clamp_index((corner.z + z) >> 3, last);
      const std::int64_t brick = plan.grid.brick(bx, by, bz);
      memory.edges[z << 6 | half << 4 | beyond_x << 3 | direction] =
          plan.edges[brick * edge_words + ((z & 7) << 4 | (half & 1) << 3 | direction)];
    }
  }

  KINESCOPE_HD void classify(Memory& memory, const BrickCorner& corner, int e) const {
    const int half_plane = e >> 3, t = e & 7;
    if (t >= 6) {
      memory.word[e] = {};
      memory.start[e] = 0;
      return;
    }
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
    const int bit = static_cast<int>(code & 31u), e = static_cast<int>(code >> 6);
    const Tetrahedra path = memory.tetrahedra[e];
    std::uint32_t mask = 0;
    for (int p = 0; p < 4; ++p) mask |= (path.corner[p] >> bit & 1u) << p;
    const std::uint32_t edges = plan.tables->triangle[e & 7][mask][code >> 5 & 1];
    // The place of the triangle's node, in the table's format for lower ends of edges: z, y and x with four bits each.
    const auto node = static_cast<std::uint32_t>((e >> 4) << 8 | (e & 8) << 3 | (bit & 24) << 1 | (bit & 7));
    std::uint32_t vertex[3];
    for (int k = 0; k < 3; ++k) {
      const std::uint32_t edge = edges >> 9 * k, lower = node + (edge & 0x111u), direction = edge >> 1 & 7u;
      const EdgeWord word = memory.edges[(lower >> 2 & 0x3F0u) | (lower & 8u) | direction];
      const std::uint32_t place = (lower >> 1 & 24u) | (lower & 7u);
      vertex[k] = word.start + static_cast<std::uint32_t>(count_bits(word.passed & ((1u << place) - 1u)));
    }
    // A triangle whose vertices did not all fit becomes one without area.
    if (overflow) {
      const std::uint32_t made = plan.to.draw[5];
      if (vertex[0] >= made || vertex[1] >= made || vertex[2] >= made) vertex[0] = vertex[1] = vertex[2] = 0;
    }
    for (int k = 0; k < 3; ++k) to[k] = vertex[k];
  }
};

}  // namespace kinescope::sim::landscape
