// A picture's pixels, combined where they are near in place and colour: the method `bins`.
//
// Exact sums for xyrgb would take some 50,000 pixels for each pixel (a disc of 7.5 bandwidths of 16 pixels), and a
// field of five dimensions would be too large. So pixels that share a cell become one weighted point at their mean.
// There are `bins_of_space` cells per bandwidth in x and y, and `bins_of_colour` in r, g and b. To first order that
// changes nothing. The second-order error is the pixels' variance within their bins. It is compensated by widening the
// kernel by the mean of that variance over the picture: over points scattered by σ², a Gaussian of variance h² acts
// like one of variance h² + σ². Bins farther away in space than `bin_radius` bandwidths are left out. The remaining
// error after 15 iterations is measured in tests/sim/mean_shift/mean_shift_pictures_test.cpp: 0.01 bandwidths, 0.05 for
// the worst of a thousand pixels.
#pragma once

#include <cstdint>
#include <vector>

#include "kinescope/dataset.hpp"
#include "sim/mean_shift/grids/cells.hpp"

namespace kinescope::sim::mean_shift {

inline constexpr double bins_of_space = 2.5, bins_of_colour = 2;  // per bandwidth
inline constexpr double bin_radius = 3.3;
// Shifts below this, in bandwidths, are within the method's error: a pixel that moves less comes to rest, whatever the
// tolerance.
inline constexpr double bin_error = 0.01;
struct Bins {
  std::int64_t count = 0, stride = 0;
  std::vector<float> x, weight;     // [5 × stride], [stride]; by cell, in the units of the columns given
  std::vector<std::int32_t> first;  // [cells + 1] first bin of each cell over x and y
  std::int64_t cells[2] = {1, 1};   // along x and y
  double side = 1;                  // of a cell, in pixels
  double origin[2] = {0, 0};        // of the cells over x and y, in the units of the columns given
  double variance[5] = {};          // mean variance of the pixels within their bins, in data units squared
};

// Makes bins from `points` points with the centred columns x, y, r, g, b, [5 × stride]. False if there would be more
// than 2^26 cells over x and y, or 2^62 cells in all. O(N log N) on all threads; the result depends only on the
// arguments.
bool make_bins(const std::vector<float>& columns, std::int64_t stride, std::int64_t points, double space_bandwidth,
               double bandwidth, Bins& bins);

}  // namespace kinescope::sim::mean_shift
