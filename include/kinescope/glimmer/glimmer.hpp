// Glimmer: multilevel multidimensional scaling (S. Ingram, "Multilevel Multidimensional Scaling on the GPU", 2007).
#pragma once

#include <vector>

#include "kinescope/published.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

enum class PointState : std::uint32_t {
  absent = 0,   // belongs to a finer level than the current one
  placed = 1,   // belongs to an earlier level
  arriving = 2  // new at the current level
};

// The published buffers.
namespace glimmer::published {
// [points × output_dimensions], in the input's order, turned to the data's principal axes. NaN for points that no level
// has placed yet.
inline constexpr Published<float> positions{"positions"};
inline constexpr Published<std::uint32_t> states{"states"};  // [points], a PointState each
}  // namespace glimmer::published

namespace glimmer {
// The window + 1 taps of the filter that decides termination; the first tap is for the newest value. The filter is the
// derivative of a low-pass sinc under a Hann window.
std::vector<float> termination_filter(int window);

}  // namespace glimmer

const SimulationKind& glimmer_kind();

}  // namespace kinescope::sim
