// A dataset's sparse rows, ready for layouts.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "sim/core/principal_axes.hpp"

namespace kinescope::sim::glimmer {

// The axes of sparse rows are found from at most this many rows, because each row has few values. Axes found from 4,096
// of the 26,096 documents fit only those.
inline constexpr std::size_t sparse_sample_rows = 16'384;

struct SparseBySlot {
  SparseRows rows;  // slot → row, in internal units (the widest column, 0 included, spans 1), or of length 1 or 0
  float unit = 1;   // one internal unit, in the data's units
};

// O(values). Throws Error (input) for parameters that need a dense table: `normalize`, because then no value would be
// 0, and Manhattan distances, which have no principal coordinates.
SparseBySlot sparse_by_slot(const Dataset& data, GlimmerParameters& parameters,
                            const std::vector<std::int32_t>& permutation);

// The first `count` rows, as input to PrincipalAxes: about `mean` [columns], or about 0 if that is empty. `rows` must
// outlive the result.
std::unique_ptr<AxisRows> sparse_axis_rows(const SparseRows& rows, std::size_t count, std::vector<float> mean);

// The mean [columns] of the first `count` rows.
std::vector<float> mean_of_sparse(const SparseRows& rows, std::size_t count);

// Projects a row: writes (row − mean) times the first k of the axes [columns × stride] to `to` [k], and returns the
// squared length of row − mean.
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
