// Squared distances between 64 points and 64 others on the CPU: panels of rows by columns, products in registers.
#pragma once

#include <cstdint>
#include <vector>

#include "kinescope/executors/lanes.hpp"
#include "sim/glimmer/multilevel/glimmer_formulas.hpp"

namespace kinescope::sim::glimmer {

// Up to 64 points: their rows by column [width × 64], norms, slots, and positions [L × 64]. Entries past the last point
// are finite.
struct Panel {
  explicit Panel(std::int64_t row_width) : width(row_width), rows(static_cast<std::size_t>(row_width * 64)) {}
  std::int64_t width, count = 0;
  std::vector<float> rows;
  alignas(32) float norms[64] = {}, x[3][64] = {};
  std::int64_t slots[64] = {};
};

struct DistanceTile {
  alignas(32) float square[64 * 64];
  const float* row(std::int64_t i) const { return square + i * 64; }
};

// δ² between each point of `a` and each of `b`; `memory` is a MultilevelMemory.
template <RowFormula F, class Memory>
inline void fill_tile(const Memory& memory, const Panel& a, const Panel& b, DistanceTile& tile) {
  const float scale_square = memory.scale_square;
  if constexpr (F == RowFormula::matrix) {
    for (int i = 0; i < 64; ++i) {
      const float* row = memory.rows + a.slots[i] * memory.width;
      for (int j = 0; j < 64; ++j) tile.square[i * 64 + j] = row[b.slots[j]] * row[b.slots[j]] * scale_square;
    }
    return;
  }
  using Vector8 = lanes::Float8;
  const std::int64_t width = a.width;
  for (int i = 0; i < 64; i += 4)
    for (int j = 0; j < 64; j += 16) {
      Vector8 sums[4][2] = {};
      const float *own = a.rows.data() + i, *other = b.rows.data() + j;
      for (std::int64_t h = 0; h < width; ++h, own += 64, other += 64) {
        const Vector8 low = lanes::load<Vector8>(other), high = lanes::load<Vector8>(other + 8);
        for (int r = 0; r < 4; ++r) {
          const Vector8 value = lanes::broadcast(own[r]);
          sums[r][0] = add_column(F, sums[r][0], value, low);
          sums[r][1] = add_column(F, sums[r][1], value, high);
        }
      }
      for (int r = 0; r < 4; ++r)
        for (int half = 0; half < 2; ++half)
          lanes::store(tile.square + (i + r) * 64 + j + 8 * half,
                       square_distance(F, sums[r][half], lanes::broadcast(a.norms[i + r]),
                                       lanes::load<Vector8>(b.norms + j + 8 * half)) *
                           scale_square);
    }
}

}  // namespace kinescope::sim::glimmer
