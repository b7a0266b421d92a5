// Turns a dataset into what the kernels read: rows normalized, scaled, permuted, padded; and the orientation that
// layouts keep.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/core/principal_axes.hpp"
#include "sim/glimmer/dissimilarity.hpp"
#include "sim/glimmer/forces/force_state.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

// The first slots are a random sample of the points; axes are found from so many of them.
inline constexpr std::size_t sample_rows = 4096;

// Makes the rows of a dataset comparable: columns normalized, in internal units (the widest column spans 1, so that
// forces need not know the data's units); for the cosine metric rows have length 1 or 0.
class RowScaling {
 public:
  // O(N · H) on all threads. Throws Error (input) if the range exceeds 1e36. `data` must outlive this.
  RowScaling(const Dataset& data, GlimmerParameters& parameters);
  // Uses the columns' sums, with deviations if the parameters ask for z-scores.
  RowScaling(const Dataset& data, GlimmerParameters& parameters, const ColumnSums& sums);

  void operator()(std::size_t point, float* row) const;          // writes its `dimensions` values
  float unit() const { return unit_; }                           // an internal unit in the data's (normalized) units
  const std::vector<double>& offset() const { return offset_; }  // a value becomes (value − offset) · factor,
  const std::vector<double>& factor() const { return factor_; }
  bool unit_length() const { return unit_length_; }  // rows are then scaled to length 1

 private:
  const Dataset& data_;
  std::vector<double> offset_, factor_;  // (value − offset) · factor
  bool unit_length_ = false;
  float unit_ = 1;
};

// [points] slot → the input's index; each level is a prefix of the slots.
std::vector<std::int32_t> slots_of(std::size_t points, std::uint64_t seed);

// How many rows are used to find axes: the first slots, but fewer if rows are very long, at most 64 MiB.
std::size_t sample_size(std::size_t points, std::size_t columns);

// The axes of the sample's rows: about their mean, which goes to `mean` [columns], or about 0.
PrincipalAxes axes_of_sample(const RowScaling& scaling, const std::vector<std::int32_t>& permutation,
                             std::size_t columns, bool centred, std::vector<float>& mean);

// The input of the forces.
struct Prepared {
  std::vector<std::int32_t> permutation;  // [points] slot → the input's index; each level is a prefix of the slots
  std::vector<float> values;              // [points × stride] by slot, in internal units; or the sparse rows'
  std::int32_t stride = 0;
  std::vector<std::uint64_t> begin;  // of the sparse rows, as in SparseRows; empty: dense
  std::vector<std::uint32_t> index;
  float unit = 1;                // an internal unit in the data's (normalized) units
  std::vector<float> reference;  // [points × output_dimensions] by slot: the data on its principal axes
};

// O(N · H), or O(values) for sparse rows.
Prepared prepare(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);

// Sizes of the levels from the coarsest on, each followed by interpolation and relaxation: the V-cycle as a list. Every
// level has points. A given start is relaxed on the finest level alone.
std::vector<Stage> plan_stages(std::int64_t points, GlimmerParameters& parameters);

// The w + 1 taps of the termination's filter, the newest value first: the derivative of a low-pass sinc under a Hann
// window.
std::vector<float> termination_filter(int window);

}  // namespace kinescope::sim::glimmer
