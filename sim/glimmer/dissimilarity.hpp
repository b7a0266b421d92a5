// δ(i, j), the distance in the input, between dense rows.
#pragma once

#include <cmath>
#include <cstdint>

#include "sim/glimmer/multilevel/glimmer_formulas.hpp"

namespace kinescope::sim::glimmer {

// [points × stride] rows; `stride` is a multiple of 4, with zeros past the last dimension; for the cosine metric rows
// have length 1 or 0.
struct Rows {
  const float* values = nullptr;
  std::int32_t stride = 0;
  Metric metric = Metric::euclidean;

  KINESCOPE_HD float distance(std::int64_t i, std::int64_t j) const {
    if (metric == Metric::euclidean) return std::sqrt(sum<RowFormula::differences>(i, j));
    if (metric == Metric::manhattan) return sum<RowFormula::manhattan>(i, j);
    return std::fmax(0.0f, 1.0f - sum<RowFormula::cosine>(i, j));
  }

  // Uses four running sums in a fixed order, so that both processors round alike and the CPU's compiler can use
  // vectors.
  template <RowFormula F>
  KINESCOPE_HD float sum(std::int64_t i, std::int64_t j) const {
    const float *a = values + i * stride, *b = values + j * stride;
    float sum[4] = {0, 0, 0, 0};
    for (std::int32_t h = 0; h < stride; h += 4)
      for (int lane = 0; lane < 4; ++lane) sum[lane] = add_column(F, sum[lane], a[h + lane], b[h + lane]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
  }
};

}  // namespace kinescope::sim::glimmer
