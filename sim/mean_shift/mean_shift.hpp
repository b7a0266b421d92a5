// Mean shift clustering (K. Fukunaga, L. Hostetler, 1975), non-blurring; sim/mean_shift/formulas.hpp states what is
// computed.
//
// Buffers that it publishes (names as in BufferSource), all in the input's order; `columns` are those that take part:
//   "positions"  float32 [points × columns], the shifted points, in the data's units, as normalized
//   "data"       float32 [points × columns], the points where they started
//   "clusters"   uint32 [points], the cluster of each point, the largest being 0; `no_cluster` until the run has
//                converged
//   "density"    float32 [points], ΣK/N where each point was before its last shift
//   "density_map"  float32 [rows × columns] of density_map(), ΣK/N over the plane; only where two columns take part
//   "segmented"  for pictures (the columns x, y, r, g, b): uint8 [points × 4], the colour where each pixel is now, and
//                once the run has converged that of its cluster's mode; the last byte is 255
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sim/core/groups.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::sim {

inline constexpr std::uint32_t no_cluster = 0xFFFFFFFFu;

// Where the values of "density_map" lie: a square of the plane, row 0 at low_y, a value at the middle of each cell.
struct DensityMap {
  int rows = 0, columns = 0;  // 0: there is none
  double low_x = 0, low_y = 0, side = 0;
  float maximum = 0;
};

// What a mean shift run offers beyond every simulation.
class MeanShift : public Simulation {
 public:
  // A row for each cluster: cluster, size, density, and the columns that take part. Waits for the device.
  virtual Table centroids() = 0;

  // From any thread at any time, without waiting:
  virtual std::vector<std::string> columns() const = 0;      // names of those that take part
  virtual double bandwidth() const = 0;                      // in use; the estimate where 0 was asked for
  virtual double extent() const = 0;                         // of the widest column that takes part
  virtual std::shared_ptr<const Groups> groups() const = 0;  // the clusters; null until the run has converged
  virtual DensityMap density_map() const = 0;                // as last published
};

const SimulationKind& mean_shift_kind();

}  // namespace kinescope::sim
