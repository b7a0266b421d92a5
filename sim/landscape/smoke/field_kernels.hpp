// The smoke's field: each ball (a metaball; J. Blinn, 1982) adds to the nodes of a grid
//
//   f(q) = (1 − q)²,  q = (distance / radius)² < 1,  and nothing beyond
//
// Only bricks of 8³ nodes that a ball reaches are processed. The balls are sorted by the brick that holds their centre;
// each brick gathers the balls near it. Sums are integers in units of 2^-20, so that their order does not matter.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "kinescope/landscape/mesh.hpp"
#include "sim/landscape/groups.hpp"

namespace kinescope::sim::landscape {

inline constexpr int brick_side = 8, brick_nodes = 512;

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
  int x, y, z;  // the brick's first node

  KINESCOPE_HD BrickCorner(int brick_x, int brick_y, int brick_z)
      : x(brick_x * brick_side), y(brick_y * brick_side), z(brick_z * brick_side) {}
  // Whether any cell at the brick's nodes has a corner on the border of the grid.
  KINESCOPE_HD bool at_border(const GridPlace& grid) const {
    const int last = grid.nodes - brick_side - 1;
    return x == 0 || y == 0 || z == 0 || x >= last || y >= last || z >= last;
  }
  KINESCOPE_HD BrickCorner(const GridPlace& grid, std::int64_t brick) {
    const auto number = static_cast<std::uint32_t>(brick), side = static_cast<std::uint32_t>(grid.bricks);
    const std::uint32_t row = number / side, plane = row / side;
    x = static_cast<int>(number - row * side) * brick_side;
    y = static_cast<int>(row - plane * side) * brick_side;
    z = static_cast<int>(plane) * brick_side;
  }
};

inline GridPlace make_grid(const float* corner, float side, int nodes) {
  GridPlace grid;
  for (int c = 0; c < 3; ++c) grid.corner[c] = corner[c];
  grid.spacing = side / static_cast<float>(nodes - 1);
  grid.nodes = nodes;
  grid.bricks = (nodes + brick_side - 1) / brick_side;
  return grid;
}

// What a ball adds, in units of 2^-20: the low bits of a float between 8 and 9. `rest` is 1 − q.
KINESCOPE_HD inline std::uint32_t ball_bits(float rest) {
  constexpr std::uint32_t eight_bits = 0x41000000u;
#ifdef __CUDA_ARCH__
  const float inside = __saturatef(rest);
  return __float_as_uint(std::fma(inside, inside, 8.0f)) - eight_bits;
#else
  const float inside = rest > 0 ? rest : 0.0f;
  return std::bit_cast<std::uint32_t>(std::fma(inside, inside, 8.0f)) - eight_bits;
#endif
}

KINESCOPE_HD inline int clamp_index(int value, int last) {
  return value < 0 ? 0 : value > last ? last : value;
}

// Flags of a brick: it has nodes inside the surface, and outside.
inline constexpr std::uint8_t has_inside = 1, has_outside = 2;

// What is kept for each brick between two fields.
struct BrickMemory {
  std::uint8_t* sides;
  std::uint64_t* inside;  // [8 per brick] which nodes are inside, for each z: bit x + 8 y
  std::uint8_t* before;   // whether balls reached it in the field before
  Pair* counts;  // number of balls with their centre there; whether one reaches a cell there. Zero except while
                 // a field is summed
  std::int64_t* touched_count;  // [2], used in turn; the one not in use is 0
};

struct EmptyField {
  BrickMemory bricks;
  std::int64_t brick_count;
  float* values;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    values[i] = 0;
    if (i < 2) bricks.touched_count[i] = 0;
    if (i >= brick_count) return;
    bricks.sides[i] = has_outside;
    bricks.before[i] = 0;
    bricks.counts[i] = {};
    for (int z = 0; z < brick_side; ++z) bricks.inside[brick_side * i + z] = 0;
  }
};

struct MarkBalls {
  GridPlace grid;
  const Ball* balls;
  Pair* counts;
  std::uint32_t* home;  // [balls] the brick of the ball's centre
  std::uint32_t* rank;  // [balls] number among the balls with the same home, in any order

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const Ball ball = balls[i];
    if (!(ball.radius > 0)) return;
    const float inverse = 1.0f / grid.spacing, at[3] = {ball.x, ball.y, ball.z}, radius = ball.radius * inverse;
    int centre[3], low[3], high[3];
    for (int c = 0; c < 3; ++c) {
      const float g = (at[c] - grid.corner[c]) * inverse;
      centre[c] = clamp_index(static_cast<int>(std::floor(g)) >> 3, grid.bricks - 1);
      // The range of cells (numbered by their lower corners) that have a node within the radius.
      low[c] = static_cast<int>(std::ceil(g - radius)) - 1;
      high[c] = static_cast<int>(std::floor(g + radius));
      if (high[c] < 0 || low[c] >= grid.nodes) low[c] = 1, high[c] = 0;
      low[c] = clamp_index(low[c], grid.nodes - 1) >> 3;
      high[c] = high[c] < 0 ? -1 : clamp_index(high[c], grid.nodes - 1) >> 3;
    }
    // The marks come first, because nothing waits for a store. The rank is the result of an atomic, which the thread
    // waits for.
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int x = low[0]; x <= high[0]; ++x) mark(counts[grid.brick(x, y, z)].second);
    const std::int64_t brick = grid.brick(centre[0], centre[1], centre[2]);
    home[i] = static_cast<std::uint32_t>(brick);
    rank[i] = fetch_add(&counts[brick].first, 1u);
  }

 private:
  KINESCOPE_HD static void mark(std::uint32_t& touched) {
#ifdef __CUDA_ARCH__
    touched = 1;
#else
    std::atomic_ref<std::uint32_t>(touched).store(1, std::memory_order_relaxed);
#endif
  }
};

// Converts balls to the grid's units and sorts them by their home. The radius becomes its inverse.
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
                                               (ball.z - grid.corner[2]) * inverse, grid.spacing / ball.radius};
  }
};

// Lists the bricks to sum, in any order: those that balls reach, and those that they reached in the field before, which
// may become empty.
struct ListTouched {
  BrickMemory bricks;
  int now;  // index into touched_count
  std::uint32_t* touched;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const bool reached = bricks.counts[i].second != 0;
    if (reached || bricks.before[i]) touched[claim(bricks.touched_count + now)] = static_cast<std::uint32_t>(i);
    bricks.before[i] = reached;
    bricks.counts[i] = {};
    if (i == 0) bricks.touched_count[1 - now] = 0;
  }
};

// A lane sums half a column of a brick's nodes; on the CPU one lane sums all of them.
struct SumBalls {
  static constexpr int lanes = 128;
  static constexpr int room = 512;     // the sum of so many balls, in units of 2^-20, fits in 32 bits
  static constexpr int row_room = 64;  // rows of bricks that are looked up at a time
  struct Memory {
    Ball balls[room];  // in units of their radius, from the brick's first node; then the inverse radius
    std::uint32_t row_count[row_room], row_end[row_room], row_shift[row_room];
    std::uint32_t count;
  };

  GridPlace grid;
  const Ball* sorted;
  const Pair* starts;
  const std::uint32_t* touched;
  int reach;  // bricks between a ball's home and the farthest brick that it reaches
  float iso;
  float* values;
  BrickMemory bricks;

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    constexpr int each = brick_nodes / Group::lanes();
    const std::int64_t brick = touched[item];
    const BrickCorner corner(grid, brick);
    std::uint64_t total[each] = {};
    const int bx = corner.x >> 3, by = corner.y >> 3, bz = corner.z >> 3, last = grid.bricks - 1;
    const int from_x = clamp_index(bx - reach, last), to_x = clamp_index(bx + reach, last);
    const int from_y = clamp_index(by - reach, last), from_z = clamp_index(bz - reach, last);
    const int wide = clamp_index(by + reach, last) - from_y + 1, high = clamp_index(bz + reach, last) - from_z + 1;
    if (group.lane() == 0) memory.count = 0;
    for (int first = 0; first < wide * high; first += row_room) {
      const int rows = wide * high - first < row_room ? wide * high - first : row_room;
      for (int row = group.lane(); row < rows; row += group.lanes()) {
        const int y = from_y + (first + row) % wide, z = from_z + (first + row) / wide;
        memory.row_shift[row] = starts[grid.brick(from_x, y, z)].first;
        memory.row_count[row] = starts[grid.brick(to_x, y, z) + 1].first - memory.row_shift[row];
      }
      group.sync();
      for (int row = group.lane(); row < rows; row += group.lanes()) {
        std::uint32_t before = 0;
        for (int r = 0; r < row; ++r) before += memory.row_count[r];
        memory.row_end[row] = before + memory.row_count[row];
        memory.row_shift[row] -= before;
      }
      group.sync();
      gather(group, memory, corner, memory.row_end[rows - 1], total);
    }
    add(group, memory, total);
    store(group, brick, corner, total);
  }

 private:
  // Keeps the balls that reach the brick. `balls` is the number of candidates in the rows of bricks that were looked
  // up; candidate i is in the first row whose end is greater than i.
  template <class Group>
  KINESCOPE_HD void gather(Group& group, Memory& memory, const BrickCorner& corner, std::uint32_t balls,
                           std::uint64_t* total) const {
    constexpr std::uint32_t turn = room / 2;
    int row = 0;
    for (std::uint32_t first = 0; first < balls; first += turn) {
      const std::uint32_t end = first + turn < balls ? first + turn : balls;
      for (std::uint32_t i = first + static_cast<std::uint32_t>(group.lane()); i < end; i += Group::lanes()) {
        while (i >= memory.row_end[row]) ++row;
        take(memory, corner, sorted[memory.row_shift[row] + i]);
      }
      group.sync();
      const bool full = memory.count + turn > room;
      group.sync();
      if (full) add(group, memory, total);
    }
  }

  // Keeps a ball if it reaches the brick.
  KINESCOPE_HD static void take(Memory& memory, const BrickCorner& corner, const Ball& ball) {
    const float x = ball.x - static_cast<float>(corner.x), y = ball.y - static_cast<float>(corner.y),
                z = ball.z - static_cast<float>(corner.z), inverse = ball.radius;
    const float gx = gap(x), gy = gap(y), gz = gap(z);
    if ((gx * gx + gy * gy + gz * gz) * (inverse * inverse) >= 1) return;
    memory.balls[fetch_add(&memory.count, 1u)] = {x * inverse, y * inverse, z * inverse, inverse};
  }
  KINESCOPE_HD static float gap(float at) {
    constexpr float side = brick_side - 1;
    return at < 0 ? -at : at > side ? at - side : 0.0f;
  }

  // The nodes of a lane: `high` nodes, from z on, in each of the columns `lane`, `lane` + lanes, … of the brick.
  template <class Group>
  struct Share {
    static constexpr int high = Group::lanes() > 64 ? brick_side * 64 / Group::lanes() : brick_side;
    static constexpr int columns = Group::lanes() > 64 ? 1 : 64;
    KINESCOPE_HD static int column(const Group& group, int k) { return (group.lane() + k * Group::lanes()) & 63; }
    KINESCOPE_HD static int z(const Group& group) { return (group.lane() >> 6) * high; }
  };

  // Adds the kept balls and empties the list.
  template <class Group>
  KINESCOPE_HD static void add(Group& group, Memory& memory, std::uint64_t* total) {
    constexpr int high = Share<Group>::high, columns = Share<Group>::columns;
    const int count = static_cast<int>(memory.count);
    const float z0 = static_cast<float>(Share<Group>::z(group));
    std::uint32_t sum[columns * high] = {};
    for (int b = 0; b < count; ++b) {
      const Ball ball = memory.balls[b];
      for (int k = 0; k < columns; ++k) {
        const int column = Share<Group>::column(group, k);
        const float dx = std::fma(static_cast<float>(column & 7), ball.radius, -ball.x);
        const float dy = std::fma(static_cast<float>(column >> 3), ball.radius, -ball.y);
        const float rest = std::fma(-dy, dy, std::fma(-dx, dx, 1.0f));
        if (columns > 1 && rest <= 0) continue;
        for (int z = 0; z < high; ++z) {
          const float dz = std::fma(z0 + static_cast<float>(z), ball.radius, -ball.z);
          sum[k * high + z] += ball_bits(std::fma(-dz, dz, rest));
        }
      }
    }
    for (int k = 0; k < columns * high; ++k) total[k] += sum[k];
    group.sync();
    if (group.lane() == 0) memory.count = 0;
    group.sync();
  }

  template <class Group>
  KINESCOPE_HD void store(Group& group, std::int64_t brick, const BrickCorner& corner,
                          const std::uint64_t* total) const {
    constexpr int high = Share<Group>::high, columns = Share<Group>::columns;
    const int z0 = Share<Group>::z(group), layer = grid.nodes * grid.nodes;
    std::uint32_t inside = 0, outside = 0;
    for (int k = 0; k < columns; ++k) {
      const int column = Share<Group>::column(group, k);
      const int x = corner.x + (column & 7), y = corner.y + (column >> 3);
      float* const to = values + grid.node(x, y, corner.z + z0);
      const int end = x < grid.nodes && y < grid.nodes ? grid.nodes - corner.z - z0 : 0;
      for (int z = 0; z < high; ++z) {
        const float value = static_cast<float>(total[k * high + z]) * 0x1p-20f;
        const bool here = z < end, in = here && value > iso;
        if (here) to[z * layer] = value;
        inside += in;
        outside += here && !in;
        group.keep_bit(bricks.inside[brick_side * brick + z0 + z], column, in);
      }
    }
    const std::uint32_t all = group.sum(inside | outside << 16);
    if (group.lane() == 0)
      bricks.sides[brick] = static_cast<std::uint8_t>((all & 0xFFFFu ? has_inside : 0) | (all >> 16 ? has_outside : 0));
  }
};

}  // namespace kinescope::sim::landscape
