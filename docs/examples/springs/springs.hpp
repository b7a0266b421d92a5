// A layout of points by springs: each spring joins two points and is at rest when they are as far apart in the plane as
// they are in the data (P. Eades, "A heuristic for graph drawing", 1984; here with springs to random points).
#pragma once

#include "kinescope/published.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

namespace springs::published {
inline constexpr Published<float> positions{"positions"};  // [points × 2], in the input's order
}  // namespace springs::published

const SimulationKind& springs_kind();

}  // namespace kinescope::sim
