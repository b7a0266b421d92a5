// How far a run's points are from where sums in double precision take them, measured on a sample of points.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "sim/core/dataset.hpp"
#include "sim/mean_shift/prepare.hpp"

namespace kinescope::sim::mean_shift {

struct MeasuredError {
  std::size_t points = 0;  // on which it was measured; 0: it was not, and the others are NaN
  double largest = NAN;    // in bandwidths
  double beyond = NAN;     // the part of these points whose error is above the plan's error_bound
};

// Where a run from the data's places has come to: after `iterations` with one bandwidth.
struct Arrived {
  std::span<const float> places;     // [columns × points], internal units, in the input's order
  std::span<const float> densities;  // [points]
  std::int64_t iterations = 0;
};

// Half of the points measured are those of the lowest density, where errors are largest; the others are the same ones
// in any run. At most 1,000 points, so many that the pairs of all iterations are about 10^8; none if there was no
// iteration or eight points already need twice that.
MeasuredError measure_error(const Dataset& data, const Prepared& prepared, const Plan& plan,
                            MeanShiftParameters& parameters, const Arrived& arrived);

}  // namespace kinescope::sim::mean_shift
