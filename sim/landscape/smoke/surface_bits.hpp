// Which nodes of a brick are inside the surface, as bits: 64 nodes are classified, and their edges and triangles
// counted, at once. And what the launches that make a surface share.
#pragma once

#include <bit>
#include <cstdint>

#include "sim/landscape/smoke/field_kernels.hpp"
#include "sim/landscape/smoke/marching_tables.hpp"
#include "sim/landscape/warps.hpp"

namespace kinescope::sim::landscape {

// A surface in the executor's memory.
struct SurfaceMemory {
  float* positions = nullptr;        // [vertex_capacity × 3]
  float* normals = nullptr;          // [vertex_capacity × 3], unit, from inside to outside
  std::uint32_t* indices = nullptr;  // [index_capacity], three per triangle, counter-clockwise seen from outside
  std::uint32_t* draw = nullptr;     // [8] index count, 1, 0, 0, 0, vertex count, 0, 1 if it did not fit
  std::uint32_t vertex_capacity = 0, index_capacity = 0;
};

// Vertices of a brick for half a plane and one direction: the edges of its nodes that the surface crosses.
struct alignas(8) EdgeWord {
  std::uint32_t passed;
  std::uint32_t start;  // number of the first vertex
};
inline constexpr int edge_words = 2 * brick_side * 8;  // by z, half, direction; direction 0 is unused

// Nodes of a brick's plane z for which both they and their neighbours in direction c are in the grid: bit x + 8 y.
KINESCOPE_HD inline std::uint64_t in_grid(const GridPlace& grid, const BrickCorner& at, int z, int c) {
  const int x_end = grid.nodes - at.x - (c & 1), y_end = grid.nodes - at.y - (c >> 1 & 1);
  if (z >= grid.nodes - at.z - (c >> 2) || x_end <= 0 || y_end <= 0) return 0;
  if (x_end >= brick_side && y_end >= brick_side) return ~0ull;
  const std::uint64_t row = x_end >= brick_side ? 0xFFu : (1u << x_end) - 1u;
  const std::uint64_t rows = y_end >= brick_side ? ~0ull : (1ull << brick_side * y_end) - 1;
  return row * 0x0101010101010101ull & rows;
}

// Classifies a word of tetrahedra. Bits of a … d say whether the first … fourth corner of the path is inside. Returns
// which tetrahedra have at least one triangle, and which have two.
template <class Word>
struct TriangleWords {
  Word one, two;
};
template <class Word>
KINESCOPE_HD inline TriangleWords<Word> tetrahedra(Word a, Word b, Word c, Word d) {
  const Word one = (a ^ b) | (b ^ c) | (c ^ d);
  return {one, one & ~(a ^ b ^ c ^ d)};
}

// What the launches of one surface share.
struct SurfacePlan {
  GridPlace grid;
  const float* values;  // [nodes³]
  float iso;
  const MarchingTables* tables;
  const std::uint8_t* sides;
  const std::uint64_t* inside;  // as in BrickMemory
  std::uint32_t* passed;        // bricks that the surface crosses, in any order
  std::int64_t* passed_count;   // [2], used in turn
  int now;
  Pair* counts;     // by brick: vertices, triangles
  Pair* starts;     // their running sums
  EdgeWord* edges;  // [edge_words per brick], for bricks that the surface crosses
  SurfaceMemory to;

  KINESCOPE_HD bool fits(Pair sums) const {
    return sums.first <= to.vertex_capacity && std::uint64_t{sums.second} * 3 <= to.index_capacity;
  }
};

KINESCOPE_HD inline int count_bits(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __popc(bits);
#else
  return std::popcount(bits);
#endif
}
KINESCOPE_HD inline std::uint32_t count_bits(std::uint64_t bits) {
#ifdef __CUDA_ARCH__
  return static_cast<std::uint32_t>(__popcll(bits));
#else
  return static_cast<std::uint32_t>(std::popcount(bits));
#endif
}

// Gathers byte i of each word. The first word's byte becomes the lowest.
KINESCOPE_HD inline std::uint32_t byte_of_each(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d,
                                               int i) {
#ifdef __CUDA_ARCH__
  const unsigned pick = static_cast<unsigned>(i | (i + 4) << 4);
  return __byte_perm(__byte_perm(a, b, pick), __byte_perm(c, d, pick), 0x5410);
#else
  return (a >> 8 * i & 0xFFu) | (b >> 8 * i & 0xFFu) << 8 | (c >> 8 * i & 0xFFu) << 16 | (d >> 8 * i & 0xFFu) << 24;
#endif
}

// For a dense field: finds which nodes are inside. A warp takes four neighbouring bricks.
struct FindSides {
  static constexpr int serial_width = 32, beside = 4;

  GridPlace grid;
  const float* values;
  float iso;
  std::uint8_t* sides;
  std::uint64_t* inside;

  std::int64_t items(int) const { return std::int64_t{parts()} * grid.bricks * grid.bricks; }

  template <class Warp>
  KINESCOPE_HD void operator()(Warp& warp, std::int64_t item) const {
    const int row = static_cast<int>(item) / parts(), first = (static_cast<int>(item) - row * parts()) * beside;
    const int by = row % grid.bricks, bz = row / grid.bricks;
    // Lane l keeps plane l mod 8 of brick l / 8, as two words of four rows each.
    typename Warp::template PerLane<std::uint32_t> plane[2];
    typename Warp::template PerLane<bool> found[8], has_in, has_out;
    const int x_end = grid.nodes - first * brick_side, y_end = grid.nodes - by * brick_side;
    const int z_end = grid.nodes - bz * brick_side;
    const float* const from = values + grid.node(first * brick_side, by * brick_side, bz * brick_side);
    for (int z = 0; z < brick_side; ++z) {
      std::uint32_t rows[8];
      typename Warp::template PerLane<float> value[8];
      warp.each([&](int lane) {
        const int end = z < z_end && lane < x_end ? y_end : 0;
        std::uint32_t place = static_cast<std::uint32_t>(z * grid.nodes * grid.nodes + lane);
        for (int y = 0; y < brick_side; ++y, place += static_cast<std::uint32_t>(grid.nodes))
          value[y][lane] = y < end ? from[place] : iso;
        for (int y = 0; y < brick_side; ++y) found[y][lane] = value[y][lane] > iso;
      });
      for (int y = 0; y < brick_side; ++y) rows[y] = warp.vote(found[y]);
      warp.each([&](int lane) {
        if ((lane & 7) != z) return;
        for (int half = 0; half < 2; ++half)
          plane[half][lane] =
              byte_of_each(rows[4 * half], rows[4 * half + 1], rows[4 * half + 2], rows[4 * half + 3], lane >> 3);
      });
    }
    warp.each([&](int lane) {
      const std::int64_t brick = grid.brick(first + lane / 8, by, bz);
      const BrickCorner corner(first + lane / 8, by, bz);
      const std::uint64_t all = in_grid(grid, corner, lane & 7, 0), own = plane_of(plane[0][lane], plane[1][lane]);
      has_in[lane] = own != 0;
      has_out[lane] = own != all;
      if (first + lane / 8 < grid.bricks) inside[brick_side * brick + (lane & 7)] = own;
    });
    const std::uint32_t ins = warp.vote(has_in), outs = warp.vote(has_out);
    warp.each([&](int lane) {
      if ((lane & 7) != 0 || first + lane / 8 >= grid.bricks) return;
      sides[grid.brick(first + lane / 8, by, bz)] =
          static_cast<std::uint8_t>((ins >> lane & 0xFFu ? has_inside : 0) | (outs >> lane & 0xFFu ? has_outside : 0));
    });
  }

 private:
  KINESCOPE_HD int parts() const { return (grid.bricks + beside - 1) / beside; }
  KINESCOPE_HD static std::uint64_t plane_of(std::uint32_t low, std::uint32_t high) {
    return std::uint64_t{high} << 32 | low;
  }
};

// The four corners of the cells in one plane of nodes. Bit x + 8 y of `corner[c]` says whether the node at
// (x + (c & 1), y + c / 2) of the plane is inside.
struct PlaneCorners {
  std::uint64_t corner[4];
};

KINESCOPE_HD inline PlaneCorners plane_corners(const SurfacePlan& plan, const BrickCorner& at, int z) {
  constexpr std::uint64_t first_column = 0x0101010101010101ull;
  const int bx = at.x >> 3, by = at.y >> 3, bz = (at.z + z) >> 3;
  const auto plane = [&](int dx, int dy) -> std::uint64_t {
    if (bx + dx >= plan.grid.bricks || by + dy >= plan.grid.bricks || bz >= plan.grid.bricks) return 0;
    return plan.inside[brick_side * plan.grid.brick(bx + dx, by + dy, bz) + (z & 7)];
  };
  const auto right = [&](std::uint64_t own, std::uint64_t beside) {
    return (own >> 1 & ~(first_column << 7)) | (beside & first_column) << 7;
  };
  const std::uint64_t own = plane(0, 0), above = plane(0, 1);
  const std::uint64_t own_right = right(own, plane(1, 0)), above_right = right(above, plane(1, 1));
  return {{own, own_right, own >> 8 | above << 56, own_right >> 8 | above_right << 56}};
}

// Finds the bricks that the surface crosses: their cells have corners on both sides, among their own nodes and the
// first nodes of the next bricks.
struct CountBricks {
  SurfacePlan plan;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const BrickCorner at(plan.grid, i);
    Pair count;
    if (may_pass(at)) count = count_brick(at);
    plan.counts[i] = count;
    if (count.first | count.second) plan.passed[claim(plan.passed_count + plan.now)] = static_cast<std::uint32_t>(i);
    if (i > 0) return;
    plan.passed_count[1 - plan.now] = 0;
    for (int word = 0; word < 8; ++word) plan.to.draw[word] = word == 1;
  }

 private:
  KINESCOPE_HD bool may_pass(const BrickCorner& at) const {
    std::uint32_t found = 0;
    for (int c = 0; c < 8; ++c) {
      const int x = (at.x >> 3) + (c & 1), y = (at.y >> 3) + (c >> 1 & 1), z = (at.z >> 3) + (c >> 2);
      if (x < plan.grid.bricks && y < plan.grid.bricks && z < plan.grid.bricks)
        found |= plan.sides[plan.grid.brick(x, y, z)];
    }
    return found == (has_inside | has_outside);
  }

  KINESCOPE_HD Pair count_brick(const BrickCorner& at) const {
    Pair count;
    PlaneCorners low = plane_corners(plan, at, 0);
    for (int z = 0; z < brick_side; ++z) {
      const PlaneCorners high = plane_corners(plan, at, z + 1);
      const auto corner = [&](int c) { return c < 4 ? low.corner[c & 3] : high.corner[c & 3]; };
      for (int d = 1; d < 8; ++d) count.first += count_bits((corner(0) ^ corner(d)) & in_grid(plan.grid, at, z, d));
      const std::uint64_t cells = in_grid(plan.grid, at, z, 7);
      for (int t = 0; t < 6; ++t) {
        const auto [one, two] = tetrahedra(corner(0), corner(second_corner(t)), corner(third_corner(t)), corner(7));
        count.second += count_bits(one & cells) + count_bits(two & cells);
      }
      low = high;
    }
    return count;
  }
};

// The input of a brick's vertices and triangles: corners of its nodes' cells, plane by plane.
struct BrickBits {
  std::uint32_t corner[brick_side + 1][4][2];  // as in PlaneCorners, lower and upper half

  template <class Group>
  KINESCOPE_HD void load(Group& group, const SurfacePlan& plan, const BrickCorner& at) {
    for (int z = group.lane(); z <= brick_side; z += group.lanes()) {
      const PlaneCorners plane = plane_corners(plan, at, z);
      for (int c = 0; c < 4; ++c) {
        corner[z][c][0] = static_cast<std::uint32_t>(plane.corner[c]);
        corner[z][c][1] = static_cast<std::uint32_t>(plane.corner[c] >> 32);
      }
    }
  }
  // Corner c of the cells in half a plane.
  KINESCOPE_HD std::uint32_t at(int half_plane, int c) const {
    return corner[(half_plane >> 1) + (c >> 2)][c & 3][half_plane & 1];
  }
};
KINESCOPE_HD inline std::uint32_t half_in_grid(const GridPlace& grid, const BrickCorner& at, int half_plane, int c) {
  return static_cast<std::uint32_t>(in_grid(grid, at, half_plane >> 1, c) >> 32 * (half_plane & 1));
}

}  // namespace kinescope::sim::landscape
