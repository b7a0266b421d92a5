// A dataset's sparse rows, ready for layouts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/core/principal_axes.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

// The axes are found from so many rows, where each has few values: with 4,096 of the 26,096 documents they fit those
// alone.
inline constexpr std::size_t sparse_sample_rows = 16'384;

struct SparseBySlot {
  SparseRows rows;  // slot → row, in internal units (the widest column, 0 included, spans 1), or of length 1 or 0
  float unit = 1;   // an internal unit in the data's units
};

// O(values). Throws Error (input) for parameters that need a dense table: `normalize`, because then no value would be
// 0, and Manhattan distances, which have no principal coordinates.
SparseBySlot sparse_by_slot(const Dataset& data, GlimmerParameters& parameters,
                            const std::vector<std::int32_t>& permutation);

// The first rows, about their mean [columns] or, if that is empty, about 0. `rows` must outlive the result.
std::unique_ptr<AxisRows> sparse_axis_rows(const SparseRows& rows, std::size_t count, std::vector<float> mean);

// [columns] of the first rows.
std::vector<float> mean_of_sparse(const SparseRows& rows, std::size_t count);

// Row minus mean, times axes [columns × stride], of which the first k columns are used: `to` [k]. Gives the squared
// length of row minus mean.
class SparseProjection {
 public:
  // `mean` is empty or [columns]. All must outlive this.
  SparseProjection(const SparseRows& rows, const std::vector<float>& mean, const std::vector<float>& axes,
                   std::size_t stride, std::size_t k);
  float operator()(std::size_t row, float* to) const;

 private:
  const SparseRows& rows_;
  const std::vector<float>&mean_, &axes_;
  std::size_t stride_, k_;
  std::vector<float> mean_on_axes_;  // [k]
  double mean_square_ = 0;
};

}  // namespace kinescope::sim::glimmer
