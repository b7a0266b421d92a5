// From a dataset to what the kernels read, and which method computes it.
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
  std::vector<std::int32_t> columns;  // of the dataset, that take part
  std::size_t points = 0;             // the dataset's, or for a picture in rgb its distinct colours
  std::vector<float> weight;          // [stride] how many pixels have each colour; empty: all points weigh 1
  std::vector<std::int32_t> owner;    // [rows of the dataset] the point of each row; empty: its own
  std::int32_t padded = 1;            // columns of `raw`: as many as kernels are made for, zeros in those past the last
  std::int64_t stride = 0;            // of raw: the points rounded up, with room to read past the last
  std::vector<float> raw;             // [padded × stride] less the columns' medians
  std::vector<double> centre, minimum, maximum;  // [padded]; the latter two of raw
};

// Pixels of one colour go one way, and the sums do not tell them from one point of their number: a picture in rgb is as
// many points as it has colours, without any loss. O(N · k). Throws Error (input): more than 16 columns, no columns.
Prepared prepare(const Dataset& data, MeanShiftParameters& parameters);

// The bandwidth that 0 stands for: over a fixed sample of at most 1000 points the mean distance to the 0.15 · n-th
// nearest of them (scikit-learn's estimate_bandwidth with a quantile of 0.15); 1 where all points are equal.
double estimate_bandwidth(const Dataset& data, const std::vector<std::int32_t>& columns);

struct Plan {
  Method method = Method::tiled;  // never automatic
  std::vector<double> scale;      // [padded] internal units in a data unit
  double bandwidth = 1;           // in data units, of the columns that are not of space
  double error_bound = 1e-5;
  float farthest_square = 0;  // of the data from the origin of the internal units
  CellGrid cells;             // of the grid method; without memory
  FieldGrid field;            // of the field method
  std::vector<float> taps;    // of field.hpp's convolution
  Bins bins;                  // of the bins method, whose scale is that of the widened kernel
};

// Whether the columns are a picture's: x, y, r, g, b.
bool is_image(const Dataset& data);

// The method that the parameters ask for. `field` needs a gaussian, at most three columns and an extent of at most 2^25
// nodes, and becomes `grid` where it cannot be; `auto` takes the least of these costs, in pairs of points:
//   tiled   N² T                                    T: the iterations asked for, or 50
//   grid    N T (c + 50)                            c: points in the cells searched, estimated from 512 × 512 sampled
//   pairs field   N (P^k / 2 + 40) (T + 2) + nodes · k · taps, at the cheaper of two resolutions
// `bins` needs a gaussian and a picture in xyrgb, and becomes `grid` where it cannot be; `auto` takes it for pictures
// of more than 2^14 pixels, whose exact sums nobody would wait for: there error_bound is not kept (bins.hpp).
Plan make_plan(const Dataset& data, const Prepared& prepared, MeanShiftParameters& parameters);

}  // namespace kinescope::sim::mean_shift
