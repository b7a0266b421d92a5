// Computes a dataset's distances: from one point to all, and of all pairs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "kinescope/glimmer/input_distances.hpp"

namespace kinescope::sim::glimmer {

// δ from one point to all, [points]. O(N · H) on all threads; if distances are fed, the feeder's time.
void whole_row(const InputDistances& distances, std::size_t from, std::span<float> to);

// The distances of all pairs: δ_ij, j < i, is at i(i − 1)/2 + j. O(N² H), on all threads. Throws Error (run) if memory
// is short, and Error (input), which names the algorithm, for more points than `all_pairs_limit`.
inline constexpr std::size_t all_pairs_limit = 20'000;
std::vector<float> all_pairs(const InputDistances& distances, const Dataset& data, const char* algorithm);

}  // namespace kinescope::sim::glimmer
