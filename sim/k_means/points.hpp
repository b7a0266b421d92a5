// How launches get the points: all at once or, if they do not fit into the device's memory, one part after the other.
// There is a specialization for each executor (points_cpu.hpp, points_cuda.cuh):
//
//   PointParts(E&, std::shared_ptr<const Dataset>, std::int64_t megabytes, std::int64_t bytes_a_point,
//              Rows rows, int sharing, Dataset* given)
//                                   holds only these rows, numbered from 0; `sharing` workers share the device.
//                                   `given`: the same data, if it may take their values for itself (Setup::given); else
//                                   null
//   const Points& all()             all points; x is null if there are several parts
//   HostPoints host()               the points in the host's memory, as long as this lives
//   std::int64_t most()             the number of points in the largest part
//   void for_each(f)                calls f(points) for each part in order; f enqueues launches
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/executors/executor.hpp"
#include "sim/k_means/formulas.hpp"

namespace kinescope::sim::k_means {

template <Executor E>
class PointParts;

// The numbers of all points in the host's memory: in rows or, where PointParts has taken these, in panels.
struct HostPoints {
  const Dataset* data = nullptr;
  const float* panels = nullptr;  // laid out like Points::x; null: they are in rows

  float value(std::size_t point, std::size_t column) const {
    constexpr std::size_t together = panel;
    return panels ? panels[point / together * together * data->dimensions + column * together + point % together]
                  : data->values()[point * data->dimensions + column];
  }
  // The same with what float32 lost.
  double exact_value(std::size_t point, std::size_t column) const {
    return panels ? static_cast<double>(value(point, column)) : data->value(point, column);
  }
  void append_row(std::size_t point, std::vector<float>& to) const {
    for (std::size_t c = 0; c < data->dimensions; ++c) to.push_back(value(point, c));
  }
};

// How an executor reads and writes the host's memory. Each specialization is beside that of PointParts.
//
//   HostMemory(E&, std::shared_ptr<SharedMemory> memory, bool gathers)   as in RowSumsSetup; memory may be null
//   bool registered()               whether the executor reads and writes `memory` directly
//   const float* readable(values)   values as launches can read them, until the next call of this or of take()
//   void take(to, from)             copies from the executor's memory after all that is enqueued, and waits. If `to` is
//                                   the place of an answer whose twin is used, it copies to the twin instead
template <Executor E>
class HostMemory;

struct Rows {
  std::int64_t first = 0, count = 0;  // `first` a multiple of 128
};
inline Rows all_rows(const Dataset& data) {
  return {0, static_cast<std::int64_t>(data.points)};
}

}  // namespace kinescope::sim::k_means
