// The density over the plane as a picture: a square grid that holds the data and 3¼ bandwidths around them, which is as
// far out as a contour line at a hundredth of the maximum can be. The values are means over the grid's cells, so that
// the total weight is right even if the bandwidth is far smaller than a cell.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "kinescope/mean_shift/mean_shift.hpp"
#include "sim/mean_shift/formulas.hpp"
#include "sim/mean_shift/grids/field.hpp"
#include "sim/mean_shift/point_kernels.hpp"
#include "sim/mean_shift/prepare.hpp"

namespace kinescope::sim::mean_shift {

inline constexpr std::int32_t map_nodes = 256;  // along each side
inline constexpr std::int32_t map_rim = 4;      // nodes around the data's square, needed only for spreading

struct MapPlan {
  FieldGrid grid;           // a node is the middle of a cell; internal units
  std::vector<float> taps;  // gaussian: as Convolve's; others: [(2 r + 1)²] around the middle, r = half_width
  DensityMap map;           // without its maximum
};

// Plans a map for data of two columns on one scale.
MapPlan plan_map(const Prepared& prepared, const Plan& plan, Kernel kernel);

// Convolves with a kernel that is not a product of functions of x and y: uses all taps of a square, at most 87².
struct ConvolveSquare {
  FieldGrid grid;
  const Node* from;
  Node* to;
  const float* taps;

  KINESCOPE_HD void operator()(std::int64_t node) const {
    const std::int32_t x = static_cast<std::int32_t>(node % grid.nodes[0]);
    const std::int32_t y = static_cast<std::int32_t>(node / grid.nodes[0]);
    const std::int32_t reach = grid.half_width, width = 2 * reach + 1;
    float sum = 0;
    for (std::int32_t dy = y < reach ? -y : -reach; dy <= reach && y + dy < grid.nodes[1]; ++dy)
      for (std::int32_t dx = x < reach ? -x : -reach; dx <= reach && x + dx < grid.nodes[0]; ++dx)
        sum = std::fma(taps[(dy + reach) * width + dx + reach],
                       from[node + std::int64_t{dy} * grid.nodes[0] + dx].value[0], sum);
    to[node] = {{sum, 0, 0, 0}};
  }
};

// Computes ΣK/N from ΣK. Negative values are set to 0: the weights of interpolation can give slightly negative sums.
struct MapValues {
  const Node* field;
  float inverse_points;
  float* to;

  KINESCOPE_HD LargestSquare operator()(std::int64_t i) const {
    const float value = field[i].value[0] * inverse_points;
    to[i] = value > 0 ? value : 0;
    return {to[i]};
  }
};

}  // namespace kinescope::sim::mean_shift
