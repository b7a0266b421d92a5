// The points as launches read them: all at once, or, where a device's memory cannot hold them, one part after the
// other. A specialization for each executor (points_cpu.hpp, points_cuda.cuh):
//
//   PointParts(Executor&, std::shared_ptr<const Dataset>, std::int64_t megabytes, std::int64_t bytes_a_point)
//   const Points& all()             all points; without their values if there are several parts
//   std::int64_t most()             the most points of a part
//   void for_each(f)                calls f(points) for each part, in their order; f enqueues launches
#pragma once

#include <memory>

#include "sim/core/dataset.hpp"
#include "sim/k_means/formulas.hpp"

namespace kinescope::sim::k_means {

template <class Executor>
class PointParts;

}  // namespace kinescope::sim::k_means
