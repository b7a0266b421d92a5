// The smoke's field: each ball (a metaball; J. Blinn, 1982) adds to the nodes of a grid
//
//   f(q) = (1 − q)²,  q = (distance / radius)² < 1,  and nothing beyond
//
// Only bricks of 8³ nodes that a ball reaches are touched. The balls are sorted by the brick that their centre lies in;
// each touched brick gathers those near it. Sums are of whole numbers of 2^-20, so that their order does not matter.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "sim/landscape/groups.hpp"

namespace kinescope::sim::landscape {

inline constexpr int brick_side = 8, brick_nodes = 512;

// In the units of the place, metres for the smoke; a radius of 0: no ball.
struct alignas(16) Ball {
  float x, y, z, radius;
};

// A cubic grid in space: node (i, j, k) is at corner + (i, j, k) · spacing.
struct GridPlace {
  float corner[3] = {0, 0, 0};
  float spacing = 1;
  std::int32_t nodes = 0;   // along a side
  std::int32_t bricks = 0;  // along a side

  KINESCOPE_HD std::int64_t brick_count() const { return std::int64_t{bricks} * bricks * bricks; }
  KINESCOPE_HD std::int64_t node(int x, int y, int z) const { return (std::int64_t{z} * nodes + y) * nodes + x; }
  KINESCOPE_HD std::int64_t brick(int x, int y, int z) const { return (std::int64_t{z} * bricks + y) * bricks + x; }
  KINESCOPE_HD bool has(int x, int y, int z) const {
    return x >= 0 && y >= 0 && z >= 0 && x < nodes && y < nodes && z < nodes;
  }
};

struct BrickCorner {
  int x, y, z;  // its first node

  KINESCOPE_HD BrickCorner(const GridPlace& grid, std::int64_t brick)
      : x(static_cast<int>(brick % grid.bricks) * brick_side),
        y(static_cast<int>(brick / grid.bricks % grid.bricks) * brick_side),
        z(static_cast<int>(brick / grid.bricks / grid.bricks) * brick_side) {}
};

inline GridPlace make_grid(const float* corner, float side, int nodes) {
  GridPlace grid;
  for (int c = 0; c < 3; ++c) grid.corner[c] = corner[c];
  grid.spacing = side / static_cast<float>(nodes - 1);
  grid.nodes = nodes;
  grid.bricks = (nodes + brick_side - 1) / brick_side;
  return grid;
}

// What a ball adds, in 2^-20: the last bits of a float between 8 and 9.
KINESCOPE_HD inline std::uint32_t ball_bits(float q) {
  const float rest = q < 1.0f ? 1.0f - q : 0.0f;
  const float placed = std::fma(rest, rest, 8.0f);
#ifdef __CUDA_ARCH__
  return __float_as_uint(placed) - 0x41000000u;
#else
  return std::bit_cast<std::uint32_t>(placed) - 0x41000000u;
#endif
}

KINESCOPE_HD inline int clamp_index(int value, int last) {
  return value < 0 ? 0 : value > last ? last : value;
}

// Whether a brick has nodes inside (1) and outside (2) of the surface.
inline constexpr std::uint8_t has_inside = 1, has_outside = 2;

// By brick: how many balls have their centre there, and whether one reaches a cell there.
struct ResetBricks {
  Pair* counts;
  KINESCOPE_HD void operator()(std::int64_t i) const { counts[i] = {}; }
};

struct MarkBalls {
  GridPlace grid;
  const Ball* balls;
  Pair* counts;
  std::uint32_t* home;  // [balls]
  std::uint32_t* rank;  // [balls] among those of the same home, in any order

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const Ball ball = balls[i];
    if (!(ball.radius > 0)) return;
    const float inverse = 1.0f / grid.spacing, at[3] = {ball.x, ball.y, ball.z}, radius = ball.radius * inverse;
    int centre[3], low[3], high[3];
    for (int c = 0; c < 3; ++c) {
      const float g = (at[c] - grid.corner[c]) * inverse;
      centre[c] = clamp_index(static_cast<int>(std::floor(g)) >> 3, grid.bricks - 1);
      // Cells, by their lower corner, that have a node within the radius.
      low[c] = static_cast<int>(std::ceil(g - radius)) - 1;
      high[c] = static_cast<int>(std::floor(g + radius));
      if (high[c] < 0 || low[c] >= grid.nodes) low[c] = 1, high[c] = 0;
      low[c] = clamp_index(low[c], grid.nodes - 1) >> 3;
      high[c] = high[c] < 0 ? -1 : clamp_index(high[c], grid.nodes - 1) >> 3;
    }
    const std::int64_t brick = grid.brick(centre[0], centre[1], centre[2]);
    home[i] = static_cast<std::uint32_t>(brick);
    rank[i] = fetch_add(&counts[brick].first, 1u);
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int x = low[0]; x <= high[0]; ++x) mark(counts[grid.brick(x, y, z)].second);
  }

 private:
  KINESCOPE_HD static void mark(std::uint32_t& touched) {
#ifdef __CUDA_ARCH__
    if (!touched) touched = 1;
#else
    std::atomic_ref<std::uint32_t>(touched).store(1, std::memory_order_relaxed);
#endif
  }
};

// To places in the grid's own units, sorted by home.
struct SortBalls {
  GridPlace grid;
  const Ball* balls;
  const Pair* starts;
  const std::uint32_t* home;
  const std::uint32_t* rank;
  Ball* sorted;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const Ball ball = balls[i];
    if (!(ball.radius > 0)) return;
    const float inverse = 1.0f / grid.spacing;
    sorted[starts[home[i]].first + rank[i]] = {(ball.x - grid.corner[0]) * inverse, (ball.y - grid.corner[1]) * inverse,
                                               (ball.z - grid.corner[2]) * inverse, ball.radius * inverse};
  }
};

struct ListTouched {
  const Pair* counts;
  const Pair* starts;
  std::int64_t bricks;
  std::uint32_t* touched;
  std::int64_t* touched_count;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (counts[i].second) touched[starts[i].second] = static_cast<std::uint32_t>(i);
    if (i == 0) *touched_count = starts[bricks].second;
  }
};

// Bricks that were touched the last time and are no more become empty.
struct ClearBricks {
  struct Memory {};
  GridPlace grid;
  const Pair* counts;
  const std::uint32_t* touched_before;
  float* values;
  std::uint8_t* sides;

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory&, std::int64_t item) const {
    const std::int64_t brick = touched_before[item];
    if (counts[brick].second) return;
    const BrickCorner corner(grid, brick);
    for (int i = group.lane(); i < brick_nodes; i += group.lanes()) {
      const int x = corner.x + (i & 7), y = corner.y + (i >> 3 & 7), z = corner.z + (i >> 6);
      if (grid.has(x, y, z)) values[grid.node(x, y, z)] = 0;
    }
    if (group.lane() == 0) sides[brick] = has_outside;
  }
};

struct SumBalls {
  static constexpr int room = 1024;  // whose sum in 2^-20 fits 32 bits
  struct Memory {
    Ball balls[room];
    std::uint32_t count;
  };

  GridPlace grid;
  const Ball* sorted;
  const Pair* starts;
  const std::uint32_t* touched;
  int reach;  // bricks between a ball's home and the farthest that it reaches
  float iso;
  float* values;
  std::uint8_t* sides;

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    constexpr int each = brick_nodes / Group::lanes();
    const std::int64_t brick = touched[item];
    const BrickCorner corner(grid, brick);
    std::uint64_t total[each] = {};
    if (group.lane() == 0) memory.count = 0;
    const int bx = corner.x >> 3, by = corner.y >> 3, bz = corner.z >> 3, last = grid.bricks - 1;
    const int from_x = clamp_index(bx - reach, last), to_x = clamp_index(bx + reach, last);
    for (int z = clamp_index(bz - reach, last); z <= clamp_index(bz + reach, last); ++z)
      for (int y = clamp_index(by - reach, last); y <= clamp_index(by + reach, last); ++y) {
        const std::uint32_t begin = starts[grid.brick(from_x, y, z)].first;
        const std::uint32_t end = starts[grid.brick(to_x, y, z) + 1].first;
        for (std::uint32_t first = begin; first < end; first += Group::lanes()) {
          group.sync();
          const bool full = memory.count + Group::lanes() > room;
          group.sync();
          if (full) {
            add(group, memory, corner, total);
            group.sync();
            if (group.lane() == 0) memory.count = 0;
            group.sync();
          }
          const std::uint32_t i = first + static_cast<std::uint32_t>(group.lane());
          if (i < end) take(memory, corner, sorted[i]);
        }
      }
    group.sync();
    add(group, memory, corner, total);
    store(group, brick, corner, total);
  }

 private:
  // Keeps a ball that reaches the brick.
  KINESCOPE_HD static void take(Memory& memory, const BrickCorner& corner, const Ball& ball) {
    const float x = gap(ball.x, corner.x), y = gap(ball.y, corner.y), z = gap(ball.z, corner.z);
    if (x * x + y * y + z * z >= ball.radius * ball.radius) return;
    const std::uint32_t place = fetch_add(&memory.count, 1u);
    memory.balls[place] = {ball.x, ball.y, ball.z, -1.0f / (ball.radius * ball.radius)};
  }
  KINESCOPE_HD static float gap(float at, int first) {
    const float low = static_cast<float>(first), high = static_cast<float>(first + brick_side - 1);
    return at < low ? low - at : at > high ? at - high : 0.0f;
  }

  template <class Group>
  KINESCOPE_HD static void add(Group& group, const Memory& memory, const BrickCorner& corner, std::uint64_t* total) {
    constexpr int each = brick_nodes / Group::lanes();
    std::uint32_t sum[each] = {};
    const float x0 = static_cast<float>(corner.x + (group.lane() & 7));
    const float y0 = static_cast<float>(corner.y + (group.lane() >> 3 & 7));
    const float z0 = static_cast<float>(corner.z + (group.lane() >> 6));
    const int count = static_cast<int>(memory.count);
    for (int b = 0; b < count; ++b) {
      const Ball ball = memory.balls[b];
      if constexpr (Group::lanes() == 1) {
        add_all(ball, x0, y0, z0, sum);
      } else {
        const float dx = x0 - ball.x, dy = y0 - ball.y;
        const float across = std::fma(dy, dy, dx * dx);
        for (int k = 0; k < each; ++k) {
          const float dz = z0 + static_cast<float>(k * (Group::lanes() >> 6)) - ball.z;
          sum[k] += ball_bits(-ball.radius * std::fma(dz, dz, across));
        }
      }
    }
    for (int k = 0; k < each; ++k) total[k] += sum[k];
  }

  // One ball to all nodes, row by row; rows that it does not reach are left out.
  KINESCOPE_HD static void add_all(const Ball& ball, float x0, float y0, float z0, std::uint32_t* sum) {
    float across_x[brick_side], from[brick_side];
    for (int x = 0; x < brick_side; ++x) {
      from[x] = x0 + static_cast<float>(x) - ball.x;
      across_x[x] = from[x] * from[x];
    }
    for (int z = 0; z < brick_side; ++z)
      for (int y = 0; y < brick_side; ++y) {
        const float dy = y0 + static_cast<float>(y) - ball.y, dz = z0 + static_cast<float>(z) - ball.z;
        if (-ball.radius * (dy * dy + dz * dz) > 1.0001f) continue;
        std::uint32_t* row = sum + (z * brick_side + y) * brick_side;
        for (int x = 0; x < brick_side; ++x)
          row[x] += ball_bits(-ball.radius * std::fma(dz, dz, std::fma(dy, dy, across_x[x])));
      }
  }

  template <class Group>
  KINESCOPE_HD void store(Group& group, std::int64_t brick, const BrickCorner& corner,
                          const std::uint64_t* total) const {
    constexpr int each = brick_nodes / Group::lanes();
    std::uint32_t inside = 0, outside = 0;
    for (int k = 0; k < each; ++k) {
      const int i = group.lane() + k * Group::lanes();
      const int x = corner.x + (i & 7), y = corner.y + (i >> 3 & 7), z = corner.z + (i >> 6);
      if (!grid.has(x, y, z)) continue;
      const float value = static_cast<float>(total[k]) * 0x1p-20f;
      values[grid.node(x, y, z)] = value;
      ++(value > iso ? inside : outside);
    }
    const std::uint32_t all = group.sum(inside | outside << 16);
    if (group.lane() == 0)
      sides[brick] = static_cast<std::uint8_t>((all & 0xFFFFu ? has_inside : 0) | (all >> 16 ? has_outside : 0));
  }
};

}  // namespace kinescope::sim::landscape
