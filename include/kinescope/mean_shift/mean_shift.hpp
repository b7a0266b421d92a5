// Mean shift clustering (K. Fukunaga, L. Hostetler, 1975), non-blurring; sim/mean_shift/formulas.hpp states what is
// computed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kinescope/groups.hpp"
#include "kinescope/published.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

inline constexpr std::uint32_t no_cluster = 0xFFFFFFFFu;

// The published buffers, all in the input's order. `columns` is the number of columns that take part.
namespace mean_shift::published {
// [points × columns], the shifted points, in the data's units as normalized.
inline constexpr Published<float> positions{"positions"};
inline constexpr Published<float> data{"data"};  // [points × columns], where the points started
// [points], the cluster of each point, the largest being 0; `no_cluster` until the run has converged.
inline constexpr Published<std::uint32_t> clusters{"clusters"};
inline constexpr Published<float> density{"density"};  // [points], ΣK/N where each point was before its latest shift
// [rows × columns] of DensityMap, ΣK/N over the plane; only if two columns take part.
inline constexpr Published<float> density_map{"density_map"};
// [points], for pictures (the columns x, y, r, g, b): the colour at each pixel's present place, red in the lowest byte,
// 255 in the highest; once the run has converged, the colour of its cluster's mode.
inline constexpr Published<std::uint32_t> segmented{"segmented"};
}  // namespace mean_shift::published

// The facts in a run's snapshots: PublishedColumns (those that take part), Bandwidth, DensityMap, and once the run has
// converged Groups, the clusters. The output `centroids` has a row for each cluster: cluster, size, density, and the
// columns that take part.

struct Bandwidth {
  double value = 0;   // the one in use; the estimate if the parameter is 0
  double extent = 0;  // range of the widest column that takes part
};

// Where the values of "density_map" are: in a square of the plane with row 0 at low_y, each at the middle of its cell.
struct DensityMap {
  int rows = 0, columns = 0;
  double low_x = 0, low_y = 0, side = 0;
  float maximum = 0;
};

const SimulationKind& mean_shift_kind();

}  // namespace kinescope::sim
