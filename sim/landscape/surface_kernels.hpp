// The surface where a field on a grid equals `iso`, by marching tetrahedra (B. Payne, A. Toga, 1990), as an indexed
// mesh: each vertex is made once, by the node at the lower end of its edge; its normal is the field's gradient,
// interpolated between the nodes. Bricks of 8³ nodes; those that the surface does not pass cost one test.
#pragma once

#include <cmath>

#include "sim/landscape/field_kernels.hpp"
#include "sim/landscape/marching_tables.hpp"

namespace kinescope::sim::landscape {

// Where a surface goes. All in the executor's memory.
struct SurfaceMemory {
  float* positions = nullptr;        // [vertex_capacity × 3]
  float* normals = nullptr;          // [vertex_capacity × 3], unit, from inside to outside
  std::uint32_t* indices = nullptr;  // [index_capacity], three a triangle, counter-clockwise from outside
  std::uint32_t* draw = nullptr;     // [8] index count, 1, 0, 0, 0, vertex count, 0, 1 if it did not fit
  std::uint32_t vertex_capacity = 0, index_capacity = 0;
};

// What the launches of one surface share.
struct SurfacePlan {
  GridPlace grid;
  const float* values;  // [nodes³]
  float iso;
  const MarchingTables* tables;
  const Pair* slots;            // [bricks + 1] first: place of a brick among those that the surface may pass
  const std::uint32_t* passed;  // those bricks, ascending
  const std::int64_t* passed_count;
  Pair* counts;                // by their place: vertices, triangles
  const Pair* starts;          // and their sums before
  std::uint16_t* node_starts;  // [512 a place] vertices of the brick before this node's
  SurfaceMemory to;

  KINESCOPE_HD bool fits(Pair sums) const {
    return sums.first <= to.vertex_capacity && std::uint64_t{sums.second} * 3 <= to.index_capacity;
  }
};

// For a dense field: which bricks have nodes inside and outside. An item is a row of 16 bricks.
struct FindSides {
  static constexpr int row_bricks = 16;
  struct Memory {
    std::uint32_t sides[row_bricks];
  };

  GridPlace grid;
  const float* values;
  float iso;
  std::uint8_t* sides;

  KINESCOPE_HD static std::int64_t rows(const GridPlace& grid) {
    return std::int64_t{(grid.bricks + row_bricks - 1) / row_bricks} * grid.bricks * grid.bricks;
  }

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    const int parts = (grid.bricks + row_bricks - 1) / row_bricks;
    const int first = static_cast<int>(item % parts) * row_bricks;
    const int by = static_cast<int>(item / parts % grid.bricks), bz = static_cast<int>(item / parts / grid.bricks);
    for (int b = group.lane(); b < row_bricks; b += group.lanes()) memory.sides[b] = 0;
    group.sync();
    for (int column = group.column(); column < 32; column += group.columns()) {
      std::uint32_t found[4] = {};
      for (int row = group.row(); row < 64; row += group.rows()) {
        const int y = by * brick_side + (row & 7), z = bz * brick_side + (row >> 3);
        if (y >= grid.nodes || z >= grid.nodes) continue;
        for (int part = 0; part < 4; ++part) {
          const int x = first * brick_side + part * 32 + column;
          if (x < grid.nodes) found[part] |= values[grid.node(x, y, z)] > iso ? has_inside : has_outside;
        }
      }
      for (int part = 0; part < 4; ++part) add(memory.sides[part * 4 + column / brick_side], found[part]);
    }
    group.sync();
    for (int b = group.lane(); b < row_bricks; b += group.lanes())
      if (first + b < grid.bricks) sides[grid.brick(first + b, by, bz)] = static_cast<std::uint8_t>(memory.sides[b]);
  }

 private:
  KINESCOPE_HD static void add(std::uint32_t& to, std::uint32_t found) {
#ifdef __CUDA_ARCH__
    atomicOr(&to, found);
#else
    to |= found;
#endif
  }
};

// The surface may pass a brick whose cells have corners on both sides: its own nodes and the first of the next bricks.
struct FindPassed {
  GridPlace grid;
  const std::uint8_t* sides;
  Pair* flags;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const BrickCorner corner(grid, i);
    const int x = corner.x >> 3, y = corner.y >> 3, z = corner.z >> 3;
    std::uint32_t found = 0;
    for (int c = 0; c < 8; ++c) {
      const int nx = x + (c & 1), ny = y + (c >> 1 & 1), nz = z + (c >> 2);
      if (nx < grid.bricks && ny < grid.bricks && nz < grid.bricks) found |= sides[grid.brick(nx, ny, nz)];
    }
    flags[i] = {found == (has_inside | has_outside) ? 1u : 0u, 0};
  }
};

struct ListPassed {
  const Pair* flags;
  const Pair* slots;
  std::int64_t bricks;
  std::uint32_t* passed;
  std::int64_t* passed_count;
  std::uint32_t* draw;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    if (flags[i].first) passed[slots[i].first] = static_cast<std::uint32_t>(i);
    if (i > 0) return;
    *passed_count = slots[bricks].first;
    for (int word = 0; word < 8; ++word) draw[word] = word == 1;
  }
};

KINESCOPE_HD inline int count_bits(std::uint32_t bits) {
#ifdef __CUDA_ARCH__
  return __popc(bits);
#else
  return std::popcount(bits);
#endif
}

// A brick's nodes and those up to `Beyond` past them, as inside (1), outside (0) or not in the grid (2).
template <int Beyond>
struct Sides {
  static constexpr int width = brick_side + Beyond;
  std::uint8_t side[width * width * width];

  template <class Group>
  KINESCOPE_HD void load(Group& group, const SurfacePlan& plan, const BrickCorner& corner) {
    for (int i = group.lane(); i < width * width * width; i += group.lanes()) {
      const int x = corner.x + i % width, y = corner.y + i / width % width, z = corner.z + i / width / width;
      side[i] = plan.grid.has(x, y, z) ? (plan.values[plan.grid.node(x, y, z)] > plan.iso ? 1 : 0) : 2;
    }
  }
  KINESCOPE_HD std::uint32_t at(int x, int y, int z) const { return side[(z * width + y) * width + x]; }

  // Which of the node's seven edges the surface passes: bit direction − 1.
  KINESCOPE_HD std::uint32_t edges(int x, int y, int z) const {
    const std::uint32_t here = at(x, y, z);
    std::uint32_t found = 0;
    if (here == 2) return 0;
    for (int d = 1; d < 8; ++d)
      found |= (at(x + (d & 1), y + (d >> 1 & 1), z + (d >> 2)) == (here ^ 1u) ? 1u : 0u) << (d - 1);
    return found;
  }
  // Which corners of the node's cell are inside; 0 where there is no cell.
  KINESCOPE_HD std::uint32_t cell(int x, int y, int z) const {
    std::uint32_t inside = 0, missing = 0;
    for (int c = 0; c < 8; ++c) {
      const std::uint32_t s = at(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2));
      inside |= (s & 1u) << c;
      missing |= s >> 1;
    }
    return missing ? 0 : inside;
  }
};

struct CountBrick {
  SurfacePlan plan;
  struct Memory {
    Sides<1> sides;
  };

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    memory.sides.load(group, plan, BrickCorner(plan.grid, plan.passed[item]));
    group.sync();
    std::uint32_t vertices = 0, triangles = 0;
    for (int i = group.lane(); i < brick_nodes; i += group.lanes()) {
      const int x = i & 7, y = i >> 3 & 7, z = i >> 6;
      vertices += static_cast<std::uint32_t>(count_bits(memory.sides.edges(x, y, z)));
      triangles += plan.tables->triangles_of_cell[memory.sides.cell(x, y, z)];
    }
    const std::uint32_t both = group.sum(vertices | triangles << 16);
    if (group.lane() == 0) plan.counts[item] = {both & 0xFFFFu, both >> 16};
  }
};

struct MakeVertices {
  SurfacePlan plan;
  static constexpr int width = brick_side + 3;  // one node before, two after
  struct Memory {
    float value[width * width * width];
    std::uint32_t starts[brick_nodes];
    std::uint16_t edge[brick_nodes * 7];  // node | direction << 9
  };

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    const Pair start = plan.starts[item], end = plan.starts[item + 1];
    const bool fits = plan.fits(end), last = item + 1 == *plan.passed_count;
    if (group.lane() == 0 && (fits ? last : plan.fits(start))) note(fits ? end : start, !fits);
    if (!fits) return;
    const BrickCorner corner(plan.grid, plan.passed[item]);
    load(group, memory, corner);
    group.sync();
    for (int i = group.lane(); i < brick_nodes; i += group.lanes())
      memory.starts[i] = static_cast<std::uint32_t>(count_bits(edges(memory, corner, i)));
    group.sync();
    group.scan(memory.starts, brick_nodes);
    group.sync();
    for (int i = group.lane(); i < brick_nodes; i += group.lanes()) {
      std::uint32_t place = memory.starts[i], found = edges(memory, corner, i);
      plan.node_starts[item * brick_nodes + i] = static_cast<std::uint16_t>(place);
      for (int d = 1; d < 8; ++d)
        if (found >> (d - 1) & 1) memory.edge[place++] = static_cast<std::uint16_t>(i | d << 9);
    }
    group.sync();
    const int count = static_cast<int>(end.first - start.first);
    for (int v = group.lane(); v < count; v += group.lanes()) make(memory, corner, memory.edge[v], start.first + v);
  }

 private:
  KINESCOPE_HD void note(Pair sums, bool overflow) const {
    plan.to.draw[0] = sums.second * 3;
    plan.to.draw[5] = sums.first;
    plan.to.draw[7] = overflow;
  }

  template <class Group>
  KINESCOPE_HD void load(Group& group, Memory& memory, const BrickCorner& corner) const {
    for (int i = group.lane(); i < width * width * width; i += group.lanes()) {
      const int last = plan.grid.nodes - 1;
      const int x = clamp_index(corner.x + i % width - 1, last),
                y = clamp_index(corner.y + i / width % width - 1, last);
      const int z = clamp_index(corner.z + i / width / width - 1, last);
      memory.value[i] = plan.values[plan.grid.node(x, y, z)];
    }
  }
  KINESCOPE_HD static int place(int x, int y, int z) { return ((z + 1) * width + y + 1) * width + x + 1; }

  // Beyond the grid's border its last nodes are repeated, so that no edge there is passed; nodes past it make none.
  KINESCOPE_HD std::uint32_t edges(const Memory& memory, const BrickCorner& corner, int i) const {
    const int x = i & 7, y = i >> 3 & 7, z = i >> 6, last = plan.grid.nodes - 1;
    if (corner.x + x > last || corner.y + y > last || corner.z + z > last) return 0;
    // Directions that leave the grid.
    const int barred = (corner.x + x == last ? 1 : 0) | (corner.y + y == last ? 2 : 0) | (corner.z + z == last ? 4 : 0);
    const bool here = memory.value[place(x, y, z)] > plan.iso;
    std::uint32_t found = 0;
    for (int d = 1; d < 8; ++d) {
      const bool there = memory.value[place(x + (d & 1), y + (d >> 1 & 1), z + (d >> 2))] > plan.iso;
      found |= (here != there && !(d & barred) ? 1u : 0u) << (d - 1);
    }
    return found;
  }

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
    const float length = std::sqrt(nx * nx + ny * ny + nz * nz), inverse = length > 0 ? -1.0f / length : 0.0f;
    plan.to.normals[3 * std::int64_t{v}] = nx * inverse;
    plan.to.normals[3 * std::int64_t{v} + 1] = ny * inverse;
    plan.to.normals[3 * std::int64_t{v} + 2] = length > 0 ? nz * inverse : 1.0f;
  }
};

struct MakeTriangles {
  SurfacePlan plan;
  static constexpr int edge_width = brick_side + 1;
  struct Memory {
    Sides<2> sides;
    std::uint8_t edges[edge_width * edge_width * edge_width];
    std::uint32_t starts[brick_nodes];
    std::uint16_t triangle[brick_nodes * 12];  // cell | tetrahedron << 9 | which << 12
    std::uint32_t vertex_start[8], place[8];   // of this brick and the next ones
    bool fits[8];
  };

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    const Pair start = plan.starts[item], end = plan.starts[item + 1];
    if (!plan.fits(end) || start.second == end.second) return;
    const BrickCorner corner(plan.grid, plan.passed[item]);
    memory.sides.load(group, plan, corner);
    for (int c = group.lane(); c < 8; c += group.lanes()) find_neighbour(memory, corner, c);
    group.sync();
    constexpr int edge_nodes = edge_width * edge_width * edge_width;
    for (int i = group.lane(); i < edge_nodes; i += group.lanes())
      memory.edges[i] = static_cast<std::uint8_t>(
          memory.sides.edges(i % edge_width, i / edge_width % edge_width, i / edge_width / edge_width));
    for (int i = group.lane(); i < brick_nodes; i += group.lanes())
      memory.starts[i] = plan.tables->triangles_of_cell[memory.sides.cell(i & 7, i >> 3 & 7, i >> 6)];
    group.sync();
    group.scan(memory.starts, brick_nodes);
    group.sync();
    for (int i = group.lane(); i < brick_nodes; i += group.lanes()) list(memory, i);
    group.sync();
    const int count = static_cast<int>(end.second - start.second);
    for (int n = group.lane(); n < count; n += group.lanes())
      make(memory, memory.triangle[n], plan.to.indices + 3 * (std::int64_t{start.second} + n));
  }

 private:
  KINESCOPE_HD std::uint32_t tetrahedron_inside(std::uint32_t cell, int t) const {
    std::uint32_t mask = 0;
    for (int p = 0; p < 4; ++p) mask |= (cell >> plan.tables->corner[t][p] & 1u) << p;
    return mask;
  }

  KINESCOPE_HD void find_neighbour(Memory& memory, const BrickCorner& corner, int c) const {
    const int x = (corner.x >> 3) + (c & 1), y = (corner.y >> 3) + (c >> 1 & 1), z = (corner.z >> 3) + (c >> 2);
    const int last = plan.grid.bricks - 1;
    const Pair slot = plan.slots[plan.grid.brick(clamp_index(x, last), clamp_index(y, last), clamp_index(z, last))];
    memory.place[c] = slot.first;
    memory.vertex_start[c] = plan.starts[slot.first].first;
    // A brick that the surface does not pass is asked for nothing; the one past the last has no sums after it.
    memory.fits[c] = slot.first < *plan.passed_count && plan.fits(plan.starts[slot.first + 1]);
  }

  KINESCOPE_HD void list(Memory& memory, int i) const {
    const std::uint32_t cell = memory.sides.cell(i & 7, i >> 3 & 7, i >> 6);
    if (plan.tables->triangles_of_cell[cell] == 0) return;
    std::uint32_t place = memory.starts[i];
    for (int t = 0; t < 6; ++t) {
      const int count = plan.tables->triangles_of_tetrahedron[tetrahedron_inside(cell, t)];
      for (int which = 0; which < count; ++which)
        memory.triangle[place++] = static_cast<std::uint16_t>(i | t << 9 | which << 12);
    }
  }

  KINESCOPE_HD void make(const Memory& memory, std::uint32_t code, std::uint32_t* to) const {
    const int i = static_cast<int>(code & 511u), t = static_cast<int>(code >> 9 & 7u);
    const int x = i & 7, y = i >> 3 & 7, z = i >> 6;
    const std::uint32_t inside = tetrahedron_inside(memory.sides.cell(x, y, z), t);
    const std::uint8_t* edge = plan.tables->edge[t][inside] + 3 * (code >> 12);
    std::uint32_t vertex[3];
    bool whole = true;
    for (int k = 0; k < 3; ++k) {
      const int c = edge[k] & 7, direction = edge[k] >> 3;
      const int nx = x + (c & 1), ny = y + (c >> 1 & 1), nz = z + (c >> 2);
      const int beside = nx >> 3 | ny >> 3 << 1 | nz >> 3 << 2;
      const int node = (nx & 7) | (ny & 7) << 3 | (nz & 7) << 6;
      const std::uint32_t found = memory.edges[(nz * edge_width + ny) * edge_width + nx];
      whole = whole && memory.fits[beside];
      vertex[k] = memory.vertex_start[beside] +
                  plan.node_starts[std::int64_t{memory.place[beside]} * brick_nodes + node] +
                  static_cast<std::uint32_t>(count_bits(found & ((1u << (direction - 1)) - 1u)));
    }
    // A triangle whose vertices did not all fit becomes one without area.
    for (int k = 0; k < 3; ++k) to[k] = whole ? vertex[k] : 0;
  }
};

}  // namespace kinescope::sim::landscape
