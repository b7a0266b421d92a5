#include "sim/mean_shift/screen/density_map.hpp"

#include <algorithm>
#include <numbers>

namespace kinescope::sim::mean_shift {
namespace {

// The mean of the gaussian 2^(−u²) over low … high.
double gaussian_mean(double low, double high) {
  const double root = std::sqrt(std::log(2.0));
  return 0.5 * std::sqrt(std::numbers::pi) / root * (std::erf(root * high) - std::erf(root * low)) / (high - low);
}

void plan_gaussian(MapPlan& plan, double spacing) {
  const double reach = 5 * gaussian_bandwidth / spacing;
  plan.grid.half_width = std::min(map_nodes - 1, static_cast<std::int32_t>(std::ceil(reach)));
  plan.taps.assign(2 * (static_cast<std::size_t>(plan.grid.half_width) + 1), 0.0f);
  for (std::int32_t m = 0; m <= plan.grid.half_width; ++m)
    plan.taps[static_cast<std::size_t>(m)] =
        static_cast<float>(gaussian_mean((m - 0.5) * spacing, (m + 0.5) * spacing));
}

// The mean of the kernel over a cell, from 8 × 8 places in it.
template <Kernel kernel>
double cell_mean(double x, double y, double spacing) {
  double sum = 0;
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b) {
      const double u = x + ((a + 0.5) / 8 - 0.5) * spacing, v = y + ((b + 0.5) / 8 - 0.5) * spacing;
      sum += weight<kernel>(static_cast<float>(u * u + v * v));
    }
  return sum / 64;
}

void plan_square(MapPlan& plan, double spacing, Kernel kernel) {
  const std::int32_t reach = plan.grid.half_width = static_cast<std::int32_t>(std::ceil(1 / spacing + 0.5));
  for (std::int32_t dy = -reach; dy <= reach; ++dy)
    for (std::int32_t dx = -reach; dx <= reach; ++dx) {
      const double x = dx * spacing, y = dy * spacing;
      plan.taps.push_back(static_cast<float>(kernel == Kernel::flat ? cell_mean<Kernel::flat>(x, y, spacing)
                                                                    : cell_mean<Kernel::epanechnikov>(x, y, spacing)));
    }
}

}  // namespace

MapPlan plan_map(const Prepared& prepared, const Plan& plan, Kernel kernel) {
  MapPlan map;
  const double scale = plan.scale[0], around = 3.25 * internal_bandwidth(kernel);
  double extent = 0;
  for (std::size_t c = 0; c < 2; ++c)
    extent = std::max(extent, (prepared.maximum[c] - prepared.minimum[c]) * scale + 2 * around);
  const double spacing = extent / (map_nodes - 2 * map_rim);
  FieldGrid& grid = map.grid;
  grid.dimensions = 2;
  grid.order = 6;
  grid.spacing = static_cast<float>(spacing);
  grid.inverse_spacing = static_cast<float>(1 / spacing);
  for (std::size_t c = 0; c < 2; ++c) {
    const double middle = 0.5 * (prepared.minimum[c] + prepared.maximum[c]) * scale;
    grid.nodes[c] = map_nodes;
    grid.first[c] = static_cast<std::int32_t>(std::floor((middle - 0.5 * extent) / spacing)) - map_rim + 1;
  }
  if (kernel == Kernel::gaussian)
    plan_gaussian(map, spacing);
  else
    plan_square(map, spacing, kernel);
  map.map = {.rows = map_nodes,
             .columns = map_nodes,
             .low_x = prepared.centre[0] + (grid.first[0] - 0.5) * spacing / scale,
             .low_y = prepared.centre[1] + (grid.first[1] - 0.5) * spacing / scale,
             .side = map_nodes * spacing / scale};
  return map;
}

}  // namespace kinescope::sim::mean_shift
