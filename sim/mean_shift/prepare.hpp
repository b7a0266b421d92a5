// Turns a dataset into what the kernels read, and chooses the method.
#pragma once

#include <cstdint>
#include <vector>

#include "kinescope/dataset.hpp"
#include "sim/mean_shift/formulas.hpp"
#include "sim/mean_shift/grids/bins.hpp"
#include "sim/mean_shift/grids/cells.hpp"
#include "sim/mean_shift/grids/field.hpp"

namespace kinescope::sim::mean_shift {

struct Prepared {
  std::vector<std::int32_t> columns;  // indices of the dataset's columns that take part
  std::size_t points = 0;             // the dataset's, or for a picture in rgb the number of its distinct colours
  std::vector<float> weight;          // [stride] number of pixels with each colour; empty: all points weigh 1
  std::vector<std::int32_t> owner;    // [rows of the dataset] the point of each row; empty: row i is point i
  std::int64_t stride = 0;            // of raw: the number of points, rounded up, with room to read past the last
  std::vector<float> raw;             // [columns × stride] the data minus the columns' medians
  std::vector<double> centre, minimum, maximum;  // [columns] medians (of a sample), and the extremes of raw
};

// Selects the columns and subtracts their medians. Pixels of the same colour move together, so a picture in rgb has
// only one point for each distinct colour, weighted by its number of pixels; this loses nothing. O(N · k). Throws Error
// (input) for more than 16 columns, or none.
Prepared prepare(const Dataset& data, MeanShiftParameters& parameters);

struct Plan {
  Method method = Method::tiled;  // never automatic
  std::vector<double> scale;      // [columns] internal units per data unit
  double bandwidth = 1;           // in data units, for all columns but x and y of a picture
  double error_bound = 1e-5;
  float farthest_square = 0;  // largest squared distance of the data from the origin of the internal units
  CellGrid cells;             // for the grid method; keys and first are not set yet
  FieldGrid field;            // for the field method
  std::vector<float> taps;    // for field.hpp's convolution
  Bins bins;                  // for the bins method; `scale` is then that of the widened kernel
};

// Chooses the method from the parameters. `field` needs a gaussian kernel, at most three columns and an extent of at
// most 2^25 nodes; otherwise it becomes `grid`. `auto` takes the cheapest of these, with costs in pairs of points:
//
//   tiled   N² T                                    T: the iterations asked for, or 50
//   grid    N T (c + 50)                            c: points in the cells searched, estimated from 512 × 512 pairs
//                                                   of a sample
//   field   N (P^k / 2 + 40) (T + 2) + nodes · k · taps      P: nodes per axis of one interpolation
//
// `bins` needs a gaussian kernel and a picture in xyrgb; otherwise it becomes `grid`. `auto` takes it for pictures of
// more than 2^14 pixels, for which exact sums would take too long; then error_bound is not kept (bins.hpp).
Plan make_plan(const Dataset& data, const Prepared& prepared, MeanShiftParameters& parameters);

}  // namespace kinescope::sim::mean_shift
