// Places for a few points that are far from all others, to start from. Their pairs make most of the stress, but they
// are so few that random matchings hardly ever meet them. Seen from them the other points are all at one place, so each
// lies on a circle (a sphere) around it, and only directions are left to be found: many random ones are tried.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/glimmer/coordinates/held_out.hpp"

namespace kinescope::sim::glimmer {

inline constexpr int far_start_count = 2;

struct FarStarts {
  std::int64_t points = 0;          // the farthest ones of the coarsest level, at most 32
  std::vector<std::int32_t> index;  // [points of that level] the number among them of each, or −1
  std::vector<float> place;  // [far_start_count × points × L] about the mean, in the layout's units; best first
};

// `level_points`: the number of points of the coarsest level. The result has no points unless those that are far have
// half of all squared distances. O(points²) for each of at most 3,200 sweeps, on all threads.
FarStarts far_starts(const Tail& tail, std::int64_t level_points, int L, std::uint64_t seed);

}  // namespace kinescope::sim::glimmer
