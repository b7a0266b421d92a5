// A table that holds the distances themselves, row i and column j those of points i and j (metric=matrix).
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/glimmer/glimmer_parameters.hpp"

namespace kinescope::sim::glimmer {

struct MatrixBySlot {
  std::vector<float> values;  // [points × stride] by slot, in internal units: the largest is 1; 0 past the last point
  std::int32_t stride = 0;    // a multiple of four
  float unit = 1;             // an internal unit in the data's units
};

// O(points²). Throws Error (input) if the table is not square, has a negative distance or one of a point from itself,
// or if two distances that should be equal differ by more than 1e-5 of the largest; names row and column. The mean of
// the two is taken.
MatrixBySlot matrix_by_slot(const Dataset& data, GlimmerParameters& parameters,
                            const std::vector<std::int32_t>& permutation);

// [points × L] in internal units: classical scaling of the first 512 slots, and each point where its distances from
// those put it (V. de Silva, J. Tenenbaum, "Sparse multidimensional scaling using landmark points", 2004). O(points).
std::vector<float> reference_of(const MatrixBySlot& matrix, std::size_t points, std::size_t L);

}  // namespace kinescope::sim::glimmer
