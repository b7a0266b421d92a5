// Turns a dataset into what the kernels read, and chooses the method.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/mean_shift/formulas.hpp"
#include "sim/mean_shift/grids/bins.hpp"
#include "sim/mean_shift/grids/cells.hpp"
#include "sim/mean_shift/grids/field.hpp"

namespace kinescope::sim::mean_shift {

struct Prepared {
  std::vector<std::int32_t> columns;  // the dataset's columns that take part
  std::size_t points = 0;             // the dataset's, or for a picture in rgb the number of its distinct colours
  std::vector<float> weight;          // [stride] number of pixels of each colour; empty: all points weigh 1
  std::vector<std::int32_t> owner;    // [rows of the dataset] the point of each row; empty: row i has point i
  std::int32_t padded = 1;            // columns of `raw`: a number for which kernels exist; the added ones are zero
  std::int64_t stride = 0;            // of raw: the number of points rounded up, with room to read past the last
  std::vector<float> raw;             // [padded × stride] minus the columns' medians
  std::vector<double> centre, minimum, maximum;  // [padded]; the latter two of raw
};

// Pixels of one colour move together, and the sums treat them as one point of their number's weight: a picture in rgb
// has as many points as colours, without any loss. O(N · k). Throws Error (input) for more than 16 columns, or none.
Prepared prepare(const Dataset& data, MeanShiftParameters& parameters);

struct Plan {
  Method method = Method::tiled;  // never automatic
  std::vector<double> scale;      // [padded] internal units per data unit
  double bandwidth = 1;           // in data units, for the columns that are not of space
  double error_bound = 1e-5;
  float farthest_square = 0;  // largest squared distance of the data from the origin of the internal units
  CellGrid cells;             // for the grid method; without memory
  FieldGrid field;            // for the field method
  std::vector<float> taps;    // for field.hpp's convolution
  Bins bins;                  // for the bins method, whose scale is that of the widened kernel
};

// Whether the columns are a picture's: x, y, r, g, b.
bool is_image(const Dataset& data);

// The method that the parameters ask for. `field` needs a gaussian, at most three columns and an extent of at most 2^25
// nodes, and becomes `grid` where it cannot be; `auto` takes the least of these costs, in pairs of points:
//   tiled   N² T                                    T: the iterations asked for, or 50
//   grid    N T (c + 50)                            c: points in the cells searched, estimated from 512 × 512 sampled
//   pairs field   N (P^k / 2 + 40) (T + 2) + nodes · k · taps, P nodes being interpolated along an axis
// `bins` needs a gaussian and a picture in xyrgb, and becomes `grid` otherwise; `auto` takes it for pictures of more
// than 2^14 pixels, for which exact sums would take too long: there error_bound is not kept (bins.hpp).
Plan make_plan(const Dataset& data, const Prepared& prepared, MeanShiftParameters& parameters);

}  // namespace kinescope::sim::mean_shift
