// Mean shift clustering (K. Fukunaga, L. Hostetler, 1975), non-blurring; sim/mean_shift/formulas.hpp states what is
// computed.
//
// Buffers that it publishes (names as in BufferSource), all in the input's order; `columns` are those that take part:
//   "positions"  float32 [points × columns], the shifted points, in the data's units
//   "data"       float32 [points × columns], the points where they started
//   "clusters"   uint32 [points], the cluster of each point, the largest being 0; `no_cluster` until the run has
//                converged
//   "density"    float32 [points], ΣK/N where each point was before its last shift
//   "segmented"  for pictures (the columns x, y, r, g, b): uint8 [points × 4], the colour where each pixel is now, and
//                once the run has converged that of its cluster's mode; the last byte is 255
#pragma once

#include <memory>

#include "sim/core/groups.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::sim {

inline constexpr std::uint32_t no_cluster = 0xFFFFFFFFu;

// What a mean shift run offers beyond every simulation.
class MeanShift : public Simulation {
 public:
  // A row for each cluster: cluster, size, density, and the columns that take part. Waits for the device.
  virtual Table centroids() = 0;

  // From any thread at any time, without waiting:
  virtual std::shared_ptr<const Groups> groups() const = 0;  // the clusters; null until the run has converged
};

const SimulationKind& mean_shift_kind();

}  // namespace kinescope::sim
