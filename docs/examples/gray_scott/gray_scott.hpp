// The Gray–Scott reaction on a sheet without edges: a substance u is fed, v turns it into more v and decays (P. Gray,
// S. K. Scott, 1983; the patterns are those of J. E. Pearson, "Complex Patterns in a Simple System", Science 1993).
#pragma once

#include "kinescope/published.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

namespace gray_scott::published {
inline constexpr Published<float> v{"v"};  // [nodes × nodes], row by row
}  // namespace gray_scott::published

const SimulationKind& gray_scott_kind();

}  // namespace kinescope::sim
