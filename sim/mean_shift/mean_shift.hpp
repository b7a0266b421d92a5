// Mean shift clustering (K. Fukunaga, L. Hostetler, 1975), non-blurring; sim/mean_shift/formulas.hpp states what is
// computed.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/core/groups.hpp"
#include "sim/core/published.hpp"
#include "sim/core/simulation.hpp"

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
// [rows × columns] of density_map(), ΣK/N over the plane; only if two columns take part.
inline constexpr Published<float> density_map{"density_map"};
// [points], for pictures (the columns x, y, r, g, b): the colour at each pixel's present place, red in the lowest byte,
// 255 in the highest; once the run has converged, the colour of its cluster's mode.
inline constexpr Published<std::uint32_t> segmented{"segmented"};
}  // namespace mean_shift::published

// Where the values of "density_map" are: in a square of the plane with row 0 at low_y, each at the middle of its cell.
struct DensityMap {
  int rows = 0, columns = 0;  // 0: there is no map
  double low_x = 0, low_y = 0, side = 0;
  float maximum = 0;
};

// What a mean shift run offers beyond Simulation.
class MeanShift : public Simulation {
 public:
  // A row for each cluster: cluster, size, density, and the columns that take part. Waits for the device.
  virtual Table centroids() = 0;

  // These may be called from any thread at any time, and do not wait:
  virtual std::vector<std::string> columns() const = 0;      // names of those that take part
  virtual std::vector<double> origins() const = 0;           // [columns], to be added to the published values
  virtual double bandwidth() const = 0;                      // the one in use; the estimate if the parameter is 0
  virtual double extent() const = 0;                         // range of the widest column that takes part
  virtual std::shared_ptr<const Groups> groups() const = 0;  // the clusters; null until the run has converged
  // The groups as of publication `publication` (SharedBuffers::generation), which may be an older one.
  virtual std::shared_ptr<const Groups> groups_of(std::uint64_t publication) const = 0;
  virtual DensityMap density_map() const = 0;  // the latest published one
};

const SimulationKind& mean_shift_kind();

}  // namespace kinescope::sim
