// Turns a dataset into what the kernels read: rows normalized, scaled, permuted, padded; and the orientation that
// layouts keep.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/glimmer/glimmer_parameters.hpp"
#include "sim/core/principal_axes.hpp"
#include "sim/glimmer/dissimilarity.hpp"

namespace kinescope::sim::glimmer {

// The first slots are a random sample of the points. The principal axes are found from at most this many of them.
inline constexpr std::size_t sample_rows = 4096;

// Makes the rows of a dataset comparable: normalizes the columns and converts them to internal units, in which the
// widest column spans 1, so that the forces need not know the data's units. For the cosine metrics, rows get length 1
// instead, or 0 if all their values are 0.
class RowScaling {
 public:
  // O(N · H) on all threads. Throws Error (input) if the range of a normalized column reaches 1e36, and for the cosine
  // metrics if the angles between rows are too small for float32. `data` must outlive this.
  RowScaling(const Dataset& data, GlimmerParameters& parameters);
  // Takes the columns' sums instead of computing them. They must include deviations if the parameters ask for z-scores.
  RowScaling(const Dataset& data, GlimmerParameters& parameters, const ColumnSums& sums);

  void operator()(std::size_t point, float* row) const;          // writes its `dimensions` values
  float unit() const { return unit_; }                           // one internal unit, in the data's (normalized) units
  const std::vector<double>& offset() const { return offset_; }  // as in scaled()
  const std::vector<double>& factor() const { return factor_; }
  double precision() const { return precision_; }
  bool unit_length() const { return unit_length_; }  // whether rows are then scaled to length 1

 private:
  void check_directions();

  const Dataset& data_;
  std::vector<double> offset_, factor_;  // as in scaled()
  double precision_ = 0;
  bool unit_length_ = false;
  float unit_ = 1;
};

// A random permutation [points], slot → the input's index. Each level is a prefix of the slots.
std::vector<std::int32_t> slots_of(std::size_t points, std::uint64_t seed);

// The rows that are much farther from the mean than the others (has_tail), the farthest first; at most an eighth as
// many as there are landmarks. None if they make less than half of all squared distances, if all points are landmarks,
// if distances are not Euclidean, or if there are so many values that looking for them would take long. O(N · H).
std::vector<std::int32_t> outlying_rows(const Dataset& data, const RowScaling& scaling, GlimmerParameters& parameters);

// Moves these rows to the first slots, in exchange for those that are there. They make most of the stress, but by
// chance few of them, or none, would be landmarks.
void bring_forward(const std::vector<std::int32_t>& rows, std::vector<std::int32_t>& permutation);

// The number of rows from which axes are found; they are the first slots. It is sample_rows, or as many as fill 64 MiB
// if rows are long, but at least 512 (or all points).
std::size_t sample_size(std::size_t points, std::size_t columns);

// The principal axes of the sample's rows. If `centred`, they are about the rows' mean, otherwise about 0. Writes that
// mean, or zeros, to `mean` [columns].
PrincipalAxes axes_of_sample(const RowScaling& scaling, std::span<const std::int32_t> permutation, std::size_t columns,
                             bool centred, std::vector<float>& mean);

// The input of the forces.
struct Prepared {
  std::vector<std::int32_t> permutation;  // [points] slot → the input's index; each level is a prefix of the slots
  std::vector<float> values;              // [points × stride] by slot, in internal units; or the values of sparse rows
  std::int32_t stride = 0;
  std::vector<std::uint64_t> begin;  // of sparse rows, as in SparseRows; empty for dense rows
  std::vector<std::uint32_t> index;
  float unit = 1;                // one internal unit, in the data's (normalized) units
  std::vector<float> reference;  // [points × output_dimensions] by slot: the data on its principal axes
};

// O(N · H), or O(values) for sparse rows.
Prepared prepare(const Dataset& data, GlimmerParameters& parameters, std::uint64_t seed);

}  // namespace kinescope::sim::glimmer
