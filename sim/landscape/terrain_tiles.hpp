// Several levels of midpoint displacement in one pass: each group makes one cell of the coarse grid, and a border
// around it as wide as the finer levels, the Gaussians and the normals read, in its own memory.
#pragma once

#include "sim/landscape/groups.hpp"
#include "sim/landscape/terrain_formulas.hpp"

namespace kinescope::sim::landscape {

inline constexpr int largest_tile_levels = 6;

struct RefineTile {
  static constexpr int largest_width = (1 << largest_tile_levels) + 9;
  struct Memory {
    float one[largest_width * largest_width], other[largest_width * largest_width];
  };

  TerrainForm form;
  const float* from;  // [(cells + 1)²], of level first_level
  std::int32_t cells;
  std::int32_t first_level, levels;
  float* to;               // [(cells · 2^levels + 1)²]
  std::uint32_t* normals;  // as pack_normal; null: the heights are neither smoothed nor given normals
  float spacing;           // of `to`

  // A square of nodes in a group's memory: nodes step apart, from −margin to tile + margin around the tile's origin.
  struct Layer {
    float* values;
    int step, halo, margin, width;  // within `halo` the heights are right

    KINESCOPE_HD float& at(int x, int y) const { return values[((y + margin) / step) * width + (x + margin) / step]; }
  };

  template <class Group>
  KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const {
    const int tile = 1 << levels;
    const int tile_x = static_cast<int>(item % cells), tile_y = static_cast<int>(item / cells);
    // What each level must know around the tile, from the finest up.
    int halos[largest_tile_levels + 1];
    halos[0] = normals ? 3 : 0;
    for (int d = 1; d <= levels; ++d) halos[d] = ((halos[d - 1] + (1 << d)) >> d) << d;
    float *own = memory.one, *next = memory.other;
    if (levels % 2 == 1) own = memory.other, next = memory.one;
    Layer layer = make_layer(own, tile, levels, halos);
    load(group, layer, tile_x, tile_y);
    for (int d = levels - 1; d >= 0; --d) {
      const Layer finer = make_layer(next, tile, d, halos);
      group.sync();
      centres(group, layer, finer, first_level + levels - d, tile_x, tile_y);
      group.sync();
      edges(group, finer, first_level + levels - d, tile_x, tile_y);
      float* const swapped = own;
      own = next;
      next = swapped;
      layer = finer;
    }
    group.sync();
    if (normals)
      finish(group, memory, layer, tile_x, tile_y);
    else
      store(group, layer, tile_x, tile_y);
  }

 private:
  KINESCOPE_HD static Layer make_layer(float* values, int tile, int d, const int* halos) {
    const int step = 1 << d, margin = halos[d] + step;
    return {values, step, halos[d], margin, (tile + 2 * margin) / step + 1};
  }
  KINESCOPE_HD bool on_ground(int x, int y) const {
    const int last = cells << levels;
    return x >= 0 && y >= 0 && x <= last && y <= last;
  }

  template <class Group>
  KINESCOPE_HD void load(Group& group, const Layer& layer, int tile_x, int tile_y) const {
    for (int j = group.row(); j < layer.width; j += group.rows())
      for (int i = group.column(); i < layer.width; i += group.columns()) {
        const int x = tile_x + (i * layer.step - layer.margin) / layer.step;
        const int y = tile_y + (j * layer.step - layer.margin) / layer.step;
        if (x >= 0 && y >= 0 && x <= cells && y <= cells)
          layer.values[j * layer.width + i] = from[static_cast<std::int64_t>(y) * (cells + 1) + x];
      }
  }

  // Copies the corners of the coarser cells, makes their centres, and leaves on the edges the words that they need.
  template <class Group>
  KINESCOPE_HD void centres(Group& group, const Layer& coarse, const Layer& fine, int level, int tile_x,
                            int tile_y) const {
    const int whole = coarse.step, step = fine.step, tile = 1 << levels;
    const int first = -(coarse.halo / whole), count = (tile + 2 * coarse.halo) / whole;
    const int low = -fine.margin, high = tile + fine.margin;
    const int level_cells = cells << (level - 1 - first_level);
    for (int q = group.row(); q < count; q += group.rows())
      for (int p = group.column(); p < count; p += group.columns()) {
        const int x = (first + p) * whole, y = (first + q) * whole;
        const std::int64_t cell_x = (std::int64_t{tile_x} << levels) / whole + first + p;
        const std::int64_t cell_y = (std::int64_t{tile_y} << levels) / whole + first + q;
        if (cell_x < 0 || cell_y < 0 || cell_x > level_cells || cell_y > level_cells) continue;
        const RandomWords words = cell_words(form, level, cell_x, cell_y);
        const bool here_x = x >= low && x <= high, here_y = y >= low && y <= high;
        const bool half_x = x + step >= low && x + step <= high, half_y = y + step >= low && y + step <= high;
        if (here_x && here_y) fine.at(x, y) = coarse.at(x, y);
        if (half_x && here_y) fine.at(x + step, y) = as_float(words[1]);
        if (here_x && half_y) fine.at(x, y + step) = as_float(words[2]);
        if (half_x && half_y && cell_x < level_cells && cell_y < level_cells)
          fine.at(x + step, y + step) = midpoint(corners(coarse.at(x, y), coarse.at(x + whole, y),
                                                         coarse.at(x, y + whole), coarse.at(x + whole, y + whole)),
                                                 words[0], form.roughness, form.term[level]);
      }
  }

  template <class Group>
  KINESCOPE_HD void edges(Group& group, const Layer& fine, int level, int tile_x, int tile_y) const {
    const int step = fine.step, tile = 1 << levels, width = (tile + 2 * fine.halo) / step + 1;
    const int origin_x = tile_x << levels, origin_y = tile_y << levels, last = cells << levels;
    // Each lane takes the node of a row that lies on an edge: every second one.
    for (int j = group.row(); j < width; j += group.rows())
      for (int half = group.column(); 2 * half < width + 1; half += group.columns()) {
        const int y = j * step - fine.halo, odd_y = (y / step) & 1;
        const int first_odd = (fine.halo / step) & 1;
        const int i = 2 * half + ((odd_y ^ first_odd) ? 0 : 1);
        if (i >= width) continue;
        const int x = i * step - fine.halo;
        if (!on_ground(origin_x + x, origin_y + y)) continue;
        // The ends lie along the edge, the centres across it.
        const int ex = odd_y ? 0 : step, ey = odd_y ? step : 0;
        const float a = fine.at(x - ex, y - ey), b = fine.at(x + ex, y + ey);
        const bool below = odd_y ? origin_x + x > 0 : origin_y + y > 0;
        const bool above = odd_y ? origin_x + x < last : origin_y + y < last;
        const float c = fine.at(below ? x - ey : x + ey, below ? y - ex : y + ex);
        const Corners from_corners = below && above ? corners(a, b, c, fine.at(x + ey, y + ex)) : corners(a, b, c);
        fine.at(x, y) = midpoint(from_corners, as_word(fine.at(x, y)), form.roughness, form.term[level]);
      }
  }

  KINESCOPE_HD static float as_float(std::uint32_t word) {
#ifdef __CUDA_ARCH__
    return __uint_as_float(word);
#else
    return std::bit_cast<float>(word);
#endif
  }
  KINESCOPE_HD static std::uint32_t as_word(float value) {
#ifdef __CUDA_ARCH__
    return __float_as_uint(value);
#else
    return std::bit_cast<std::uint32_t>(value);
#endif
  }

  // A Gaussian from one layer into another of the same shape, `reach` nodes around the tile. The border continues
  // outward with its own heights.
  template <class Group>
  KINESCOPE_HD void blur(Group& group, const Layer& layer, float* result, int reach, int tile_x, int tile_y) const {
    const int tile = 1 << levels, count = tile + 2 * reach + 1, last = cells << levels;
    for (int j = group.row(); j < count; j += group.rows())
      for (int i = group.column(); i < count; i += group.columns()) {
        const int x = i - reach, y = j - reach, global_x = (tile_x << levels) + x, global_y = (tile_y << levels) + y;
        if (!on_ground(global_x, global_y)) continue;
        const int place = (y + layer.margin) * layer.width + x + layer.margin;
        const int left = global_x > 0 ? -1 : 0, right = global_x < last ? 1 : 0;
        const float* row = layer.values + place;
        const float* under = global_y > 0 ? row - layer.width : row;
        const float* over = global_y < last ? row + layer.width : row;
        result[place] = smooth(smooth(under[left], under[0], under[right]), smooth(row[left], row[0], row[right]),
                               smooth(over[left], over[0], over[right]));
      }
    group.sync();
  }

  template <class Group>
  KINESCOPE_HD void finish(Group& group, Memory& memory, const Layer& layer, int tile_x, int tile_y) const {
    float* const second = layer.values == memory.one ? memory.other : memory.one;
    blur(group, layer, second, 2, tile_x, tile_y);
    Layer blurred = layer;
    blurred.values = second;
    blur(group, blurred, layer.values, 1, tile_x, tile_y);
    store(group, layer, tile_x, tile_y);
  }

  template <class Group>
  KINESCOPE_HD void store(Group& group, const Layer& layer, int tile_x, int tile_y) const {
    const int tile = 1 << levels, last = cells << levels;
    const int columns = tile_x == cells - 1 ? tile + 1 : tile, rows = tile_y == cells - 1 ? tile + 1 : tile;
    const float inverse = 1.0f / spacing;
    for (int y = group.row(); y < rows; y += group.rows())
      for (int x = group.column(); x < columns; x += group.columns()) {
        const int global_x = (tile_x << levels) + x, global_y = (tile_y << levels) + y;
        const float* here = layer.values + (y + layer.margin) * layer.width + x + layer.margin;
        const std::int64_t node = static_cast<std::int64_t>(global_y) * (last + 1) + global_x;
        to[node] = here[0];
        if (!normals) continue;
        const bool left = global_x > 0, right = global_x<last, under = global_y> 0, over = global_y < last;
        const float across = (here[right ? 1 : 0] - here[left ? -1 : 0]) * (left && right ? 0.5f * inverse : inverse);
        const float along = (here[over ? layer.width : 0] - here[under ? -layer.width : 0]) *
                            (under && over ? 0.5f * inverse : inverse);
        normals[node] = pack_normal(across, along);
      }
  }
};

}  // namespace kinescope::sim::landscape
