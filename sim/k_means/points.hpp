// The points as launches read them: all at once, or, where a device's memory cannot hold them, one part after the
// other. A specialization for each executor (points_cpu.hpp, points_cuda.cuh):
//
//   PointParts(Executor&, std::shared_ptr<const Dataset>, std::int64_t megabytes, std::int64_t bytes_a_point,
//              Rows rows, int sharing)   of these rows alone, which are numbered from 0 then; so many share the device
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

// The host's memory as an executor reads and writes it; a specialization for each, beside those of its points.
//
//   HostMemory(Executor&, std::shared_ptr<SharedMemory> memory, bool gathers)   may be null; as in RowSumsSetup
//   bool registered()               the executor reads and writes `memory` itself
//   const float* readable(values)   for launches until the next call of this or of take()
//   void take(to, from)             copies from the executor's memory, behind what is enqueued, and waits; if `to` is
//                                   an answer's place whose twin is used, to that
template <class Executor>
class HostMemory;

struct Rows {
  std::int64_t first = 0, count = 0;  // `first` a multiple of 128
};
inline Rows all_rows(const Dataset& data) {
  return {0, static_cast<std::int64_t>(data.points)};
}

}  // namespace kinescope::sim::k_means
