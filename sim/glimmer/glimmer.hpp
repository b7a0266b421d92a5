// Glimmer: multilevel multidimensional scaling (S. Ingram, "Multilevel Multidimensional Scaling on the GPU", 2007).
#pragma once

#include <vector>

#include "sim/core/published.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::sim {

enum class PointState : std::uint32_t {
  absent = 0,   // of a finer level than the current one
  placed = 1,   // of an earlier level
  arriving = 2  // new at the current level
};

// What it publishes.
namespace glimmer::published {
// [points × output_dimensions], in the input's order, turned to the principal axes of the data; NaN for a point that no
// level has placed yet.
inline constexpr Published<float> positions{"positions"};
inline constexpr Published<std::uint32_t> states{"states"};  // [points], a PointState each
}  // namespace glimmer::published

const SimulationKind& glimmer_kind();

// Seconds and stress of the layouts, on the thesis's data where they are present and on made data. The run is timed
// from data that lie on the device to the converged layout there: without reading, preparing and uploading the data,
// without the full stress.
std::vector<BenchmarkExperiment> glimmer_experiments();

}  // namespace kinescope::sim
