// Strips of 32 points on the CPU: packed densely from any points, with squares and sums of their rows.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/core/executors/double_lanes.hpp"
#include "sim/core/executors/lanes.hpp"
#include "sim/k_means/formulas.hpp"
#include "sim/k_means/products_cpu.hpp"

namespace kinescope::sim::k_means {

// Packs `count` points, 1 … 32, into a strip, [d × 32]. Places past the last repeat the first.
inline void pack_strip(const Points& points, const std::int64_t* point, int count, float* to) {
  const float* from[strip];
  bool adjacent = true;
  for (int j = 0; j < strip; ++j) {
    from[j] = points.first_column(point[j < count ? j : 0]);
    adjacent &= from[j] == from[0] + j;
  }
  for (std::int64_t c = 0; c < points.dimensions; ++c, to += strip)
    if (adjacent)
      std::copy_n(from[0] + c * panel, strip, to);
    else
      for (int j = 0; j < strip; ++j) to[j] = from[j][c * panel];
}

// y = x − m and |y|² of a strip. x, y: [d × 32]; m: [d]; square: [32]
inline void centre_strip(const float* x, const float* m, int d, float* y, float* square) {
  using lanes::Float8;
  constexpr int vectors = strip / 8;
  Float8 sum[vectors] = {};
  for (int c = 0; c < d; ++c, x += strip, y += strip) {
    const Float8 middle = lanes::broadcast(m[c]);
    for (int v = 0; v < vectors; ++v) {
      const Float8 value = lanes::load<Float8>(x + 8 * v) - middle;
      lanes::store(y + 8 * v, value);
      sum[v] = lanes::fma(value, value, sum[v]);
    }
  }
  for (int v = 0; v < vectors; ++v) lanes::store(square + 8 * v, sum[v]);
}

// D² between 16 points, whose columns are `stride` apart, and a row for each.
template <int stride>
inline void squares_from(const float* x, const float* const* rows, int d, float* square) {
  using lanes::Float8;
  Float8 sum[2] = {};
  int c = 0;
  for (; c + 8 <= d; c += 8)
    for (int v = 0; v < 2; ++v) {
      Float8 row[8];
      for (int j = 0; j < 8; ++j) row[j] = lanes::load<Float8>(rows[8 * v + j] + c);
      lanes::transpose(row);
      for (int j = 0; j < 8; ++j)
        sum[v] = add_square(sum[v], lanes::load<Float8>(x + (c + j) * stride + 8 * v), row[j]);
    }
  for (; c < d; ++c)
    for (int v = 0; v < 2; ++v) {
      const float* const* row = rows + 8 * v;
      const Float8 value = {row[0][c], row[1][c], row[2][c], row[3][c], row[4][c], row[5][c], row[6][c], row[7][c]};
      sum[v] = add_square(sum[v], lanes::load<Float8>(x + c * stride + 8 * v), value);
    }
  for (int v = 0; v < 2; ++v) lanes::store(square + 8 * v, sum[v]);
}

// Adds a row's values as whole numbers, rounded like to_fixed, to one cluster's sums, and takes them from another's if
// there is one.
inline void move_row(const float* row, const float* scale, int d, std::int64_t* from, std::int64_t* to) {
  const double magic = 0x1.8p52;
  for (int c = 0; c < d; ++c) {
    const double whole = static_cast<double>(row[c]) * static_cast<double>(scale[c]) + magic;
    const std::int64_t value = std::bit_cast<std::int64_t>(whole) - std::bit_cast<std::int64_t>(magic);
    to[c] += value;
    if (from) from[c] -= value;
  }
}

}  // namespace kinescope::sim::k_means
