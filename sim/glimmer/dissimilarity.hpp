// δ(i, j), the distance in the input, between two dense or two sparse rows.
#pragma once

#include <cmath>
#include <cstdint>

#include "sim/glimmer/multilevel/glimmer_formulas.hpp"

namespace kinescope::sim::glimmer {

// Dense rows: `values` [points × stride]; `stride` is a multiple of 4, with zeros past the last dimension. Sparse rows:
// as in SparseRows. For metrics of angles, rows have length 1 or 0. For metrics of distances, `values` are the
// distances themselves.
struct Rows {
  const float* values = nullptr;
  std::int32_t stride = 0;
  Metric metric = Metric::euclidean;
  const std::uint64_t* begin = nullptr;  // null for dense rows
  const std::uint32_t* index = nullptr;

  KINESCOPE_HD float distance(std::int64_t i, std::int64_t j) const {
    float found;
    distances<1>(i, &j, &found);
    return found;
  }

  // The distances from row i to n rows. Their sums do not wait for each other, so that four take little longer than
  // one.
  template <int n, class Index>
  KINESCOPE_HD void distances(std::int64_t i, const Index* j, float* to) const {
    if (of_distances(metric)) {
      for (int k = 0; k < n; ++k) to[k] = values[i * stride + j[k]];
    } else if (metric == Metric::euclidean) {
      sums<RowFormula::differences, n>(i, j, to);
      for (int k = 0; k < n; ++k) to[k] = std::sqrt(to[k]);
    } else if (metric == Metric::manhattan) {
      sums<RowFormula::manhattan, n>(i, j, to);
    } else {
      sums<RowFormula::cosine, n>(i, j, to);
      for (int k = 0; k < n; ++k) {
        const float away = std::fmax(0.0f, 1.0f - to[k]);
        to[k] = metric == Metric::cosine ? away : away * away;
      }
    }
  }

  // Uses four running sums a row in a fixed order, so that CPU and GPU round alike and the CPU's compiler can
  // vectorize.
  template <RowFormula F, int n, class Index>
  KINESCOPE_HD void sums(std::int64_t i, const Index* j, float* to) const {
    if (begin) {
      for (int k = 0; k < n; ++k) to[k] = sparse_sum<F>(i, j[k]);
      return;
    }
    const float *a = values + i * stride, *b[n];
    for (int k = 0; k < n; ++k) b[k] = values + static_cast<std::int64_t>(j[k]) * stride;
    float sum[n][4] = {};
    for (std::int32_t h = 0; h < stride; h += 4)
      for (int k = 0; k < n; ++k)
        for (int lane = 0; lane < 4; ++lane) sum[k][lane] = add_column(F, sum[k][lane], a[h + lane], b[k][h + lane]);
    for (int k = 0; k < n; ++k) to[k] = (sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3]);
  }

  // Steps through both rows together. O(values of both).
  template <RowFormula F>
  KINESCOPE_HD float sparse_sum(std::int64_t i, std::int64_t j) const {
    std::uint64_t a = begin[i], b = begin[j];
    const std::uint64_t a_end = begin[i + 1], b_end = begin[j + 1];
    float sum = 0;
    while (a < a_end && b < b_end) {
      const std::uint32_t at_a = index[a], at_b = index[b];
      if (F == RowFormula::cosine ? at_a == at_b : true)
        sum = add_column(F, sum, at_a <= at_b ? values[a] : 0.0f, at_b <= at_a ? values[b] : 0.0f);
      a += at_a <= at_b;
      b += at_b <= at_a;
    }
    if constexpr (F != RowFormula::cosine) {
      for (; a < a_end; ++a) sum = add_column(F, sum, values[a], 0.0f);
      for (; b < b_end; ++b) sum = add_column(F, sum, 0.0f, values[b]);
    }
    return sum;
  }
};

}  // namespace kinescope::sim::glimmer
