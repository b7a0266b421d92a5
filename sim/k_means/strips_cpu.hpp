// Strips of 32 points on the CPU: packed densely from any points, with squares and sums of their rows.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kinescope/executors/lanes.hpp"
#include "sim/k_means/formulas.hpp"
#include "sim/k_means/products_cpu.hpp"

namespace kinescope::sim::k_means {

// Packs `count` points, 1 … 32, into a strip, [d × 32]. Places past the last repeat the first.
inline void pack_strip(const Points& points, const std::int64_t* point, int count, float* to) {
  const float* from[strip];
  for (int j = 0; j < strip; ++j) from[j] = points.first_column(point[j < count ? j : 0]);
  for (int first = 0; first < strip; first += 8) {
    const float* const* own = from + first;
    bool adjacent = true;
    for (int j = 1; j < 8; ++j) adjacent &= own[j] == own[0] + j;
    float* place = to + first;
    for (std::int64_t c = 0; c < points.dimensions; ++c, place += strip)
      if (adjacent)
        lanes::store(place, lanes::load<lanes::Float8>(own[0] + c * panel));
      else
        for (int j = 0; j < 8; ++j) place[j] = own[j][c * panel];
  }
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

// D² between points, whose columns are `stride` apart, and a row for each. Eight points make a vector; `vectors` names
// those to compute, `present` of them. A block of columns is read for all points before the next. rows: [points]
template <int stride>
inline void squares_from(const float* x, const float* const* rows, int d, const int* vectors, int present,
                         float* squares) {
  using lanes::Float8;
  for (int n = 0; n < present; ++n) lanes::store(squares + 8 * vectors[n], Float8{});
  int c = 0;
  for (; c + 8 <= d; c += 8)
    for (int n = 0; n < present; ++n) {
      const int first = 8 * vectors[n];
      Float8 row[8], sum = lanes::load<Float8>(squares + first);
      for (int j = 0; j < 8; ++j) row[j] = lanes::load<Float8>(rows[first + j] + c);
      lanes::transpose(row);
      for (int j = 0; j < 8; ++j) sum = add_square(sum, lanes::load<Float8>(x + (c + j) * stride + first), row[j]);
      lanes::store(squares + first, sum);
    }
  for (; c < d; ++c)
    for (int n = 0; n < present; ++n)
      for (int i = 8 * vectors[n]; i < 8 * vectors[n] + 8; ++i)
        squares[i] = add_square(squares[i], x[c * stride + i], rows[i][c]);
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
