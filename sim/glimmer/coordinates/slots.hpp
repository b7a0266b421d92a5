// The dataset's whole rows by slot. Exact distances are computed from them while the coordinates are made.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kinescope/sparse_rows.hpp"
#include "sim/glimmer/coordinates/coordinate_maker.hpp"
#include "sim/glimmer/dissimilarity.hpp"
#include "sim/glimmer/prepare.hpp"

namespace kinescope::sim::glimmer {

// Dense rows; they are scaled when they are taken.
struct DenseSlots {
  const RowScaling& scaling;
  std::span<const std::int32_t> permutation;  // [points]
  std::size_t columns;
  RowFormula formula;

  struct Taken {
    std::vector<float> rows;  // [count × columns]
    std::size_t columns;
    RowFormula formula;

    // δ between the k-th and the l-th of the taken rows, O(columns).
    float distance(std::size_t k, std::size_t l) const {
      const float *a = rows.data() + k * columns, *b = rows.data() + l * columns;
      return row_distance(
          formula, static_cast<std::int64_t>(columns), [a](std::int64_t h) { return a[h]; },
          [b](std::int64_t h) { return b[h]; });
    }
  };
  Taken take(std::span<const std::int32_t> slots) const {
    Taken taken{std::vector<float>(slots.size() * columns), columns, formula};
    for (std::size_t k = 0; k < slots.size(); ++k) copy(slots[k], taken.rows.data() + k * columns);
    return taken;
  }
  // δ between two slots, O(columns).
  float distance(std::int64_t i, std::int64_t j) const {
    const std::int32_t pair[2] = {static_cast<std::int32_t>(i), static_cast<std::int32_t>(j)};
    return take(pair).distance(0, 1);
  }
  void copy(std::int64_t slot, float* to) const {
    scaling(static_cast<std::size_t>(permutation[static_cast<std::size_t>(slot)]), to);
  }
};

struct SparseSlots {
  const SparseRows& rows;  // by slot, scaled
  Metric metric;

  Rows view() const { return {rows.value.data(), 0, metric, rows.begin.data(), rows.index.data()}; }
  float distance(std::int64_t i, std::int64_t j) const { return view().distance(i, j); }

  struct Taken {
    Rows rows;
    std::span<const std::int32_t> slots;
    float distance(std::size_t k, std::size_t l) const { return rows.distance(slots[k], slots[l]); }
  };
  Taken take(std::span<const std::int32_t> slots) const { return {view(), slots}; }
};

}  // namespace kinescope::sim::glimmer
