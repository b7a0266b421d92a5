// Points sorted into the cells of a uniform grid over one to three of their columns. So near points are found in rows
// of cells, whatever the number of columns.
#pragma once

#include <cmath>
#include <cstdint>

#include "kinescope/executors/first_not_below.hpp"

namespace kinescope::sim::mean_shift {

struct CellGrid {
  std::int32_t dimensions = 0;
  std::int32_t axis[3] = {0, 0, 0};  // the columns over which the cells lie
  std::int64_t cells[3] = {1, 1, 1};
  float origin[3] = {}, side = 1, inverse_side = 1;
  float cutoff_square = 0;  // points within this squared distance count as near
  std::int64_t points = 0;
  const std::int64_t* keys = nullptr;   // [points] ascending: the cell of each point
  const std::int32_t* first = nullptr;  // [cells + 1] first point of each cell; null if there are too many cells

  KINESCOPE_HD std::int64_t count() const { return cells[0] * cells[1] * cells[2]; }

  KINESCOPE_HD std::int64_t along(int c, float x) const {
    const float place = std::floor((x - origin[c]) * inverse_side);
    return place < 0 ? -1 : place >= static_cast<float>(cells[c]) ? cells[c] : static_cast<std::int64_t>(place);
  }

  // The cell of a point of the data. All data are inside the grid.
  KINESCOPE_HD std::int64_t key(const float* x, std::int64_t stride) const {
    std::int64_t key = 0;
    for (int c = dimensions - 1; c >= 0; --c) {
      const std::int64_t cell = along(c, x[axis[c] * stride]);
      key = key * cells[c] + (cell < 0 ? 0 : cell < cells[c] ? cell : cells[c] - 1);
    }
    return key;
  }

  // The first point whose cell is this one or a later one.
  KINESCOPE_HD std::int64_t begin(std::int64_t cell) const {
    return first ? first[cell] : first_not_below(keys, points, cell);
  }

  // The least distance along column c between y and the cells numbered `cell`. It is slightly reduced, so that rounding
  // excludes no point.
  KINESCOPE_HD float distance(int c, std::int64_t cell, float y) const {
    const float low = origin[c] + static_cast<float>(cell) * side, high = low + side;
    const float gap = y < low ? low - y : y > high ? y - high : 0.0f;
    const float slack = 1e-4f * side + 3e-7f * (std::fabs(low) + std::fabs(y));
    return gap > slack ? gap - slack : 0.0f;
  }

  // Calls f(begin, end) for ranges of points that together contain all points nearer to y than the cut-off.
  template <class F>
  KINESCOPE_HD void near(const float* y, F f) const {
    const float reach = std::sqrt(cutoff_square);
    std::int64_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    for (int c = 0; c < dimensions; ++c) {
      low[c] = along(c, y[axis[c]] - reach);
      high[c] = along(c, y[axis[c]] + reach);
      low[c] = low[c] < 0 ? 0 : low[c] < cells[c] ? low[c] : cells[c] - 1;
      high[c] = high[c] < cells[c] ? high[c] : cells[c] - 1;
    }
    for (std::int64_t plane = low[2]; plane <= high[2]; ++plane)
      for (std::int64_t row = low[1]; row <= high[1]; ++row) {
        const float dz = dimensions > 2 ? distance(2, plane, y[axis[2]]) : 0.0f;
        const float dy = dimensions > 1 ? distance(1, row, y[axis[1]]) : 0.0f;
        const float left = cutoff_square - dz * dz - dy * dy;
        if (left < 0) continue;
        const float half = std::sqrt(left);
        std::int64_t from = along(0, y[axis[0]] - half), to = along(0, y[axis[0]] + half);
        from = from < 0 ? 0 : from < cells[0] ? from : cells[0] - 1;
        to = to < cells[0] ? to : cells[0] - 1;
        if (from > to) continue;
        const std::int64_t base = (plane * cells[1] + row) * cells[0];
        const std::int64_t first_point = begin(base + from), end = begin(base + to + 1);
        if (first_point < end) f(first_point, end);
      }
  }
};

// Computes the keys by which points are sorted into the cells of a grid: a CellGrid, or the field's grid.
template <class Grid>
struct CellKeys {
  Grid grid;
  const float* x;
  std::int64_t stride;
  std::int64_t* keys;
  std::int32_t* order;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    keys[i] = grid.key(x + i, stride);
    order[i] = static_cast<std::int32_t>(i);
  }
};

// Finds the first point of each cell from the sorted keys. Launched over points + 1.
struct CellStarts {
  const std::int64_t* keys;
  std::int64_t points, cells;
  std::int32_t* first;

  KINESCOPE_HD void operator()(std::int64_t i) const {
    const std::int64_t from = i > 0 ? keys[i - 1] + 1 : 0, to = i < points ? keys[i] : cells;
    for (std::int64_t cell = from; cell <= to; ++cell) first[cell] = static_cast<std::int32_t>(i);
  }
};

}  // namespace kinescope::sim::mean_shift
