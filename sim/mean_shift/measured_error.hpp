// How far a run's points are from where sums in double precision would move them, measured on a sample of points.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>

#include "kinescope/dataset.hpp"
#include "sim/mean_shift/prepare.hpp"

namespace kinescope::sim::mean_shift {

struct MeasuredError {
  std::size_t points = 0;  // number of points measured; 0: nothing was measured, and the others are NaN
  double largest = NAN;    // in bandwidths
  double beyond = NAN;     // the fraction of these points whose error is above the plan's error_bound
};

// Where the points of a run are: it started at the data, and made `iterations` with one bandwidth.
struct Arrived {
  std::span<const float> places;     // [columns × points], internal units, in the input's order
  std::span<const float> densities;  // [points]
  std::int64_t iterations = 0;
};

// Half of the measured points are those of the lowest density, where errors are largest; the others are the same ones
// in every run. There are 8 to 1,000 of them, chosen so that all iterations take about 10^8 pairs. Nothing is measured
// if there was no iteration, or if eight points would need more than 2·10^8 pairs until they rest.
MeasuredError measure_error(const Dataset& data, const Prepared& prepared, const Plan& plan,
                            MeanShiftParameters& parameters, const Arrived& arrived);

}  // namespace kinescope::sim::mean_shift
