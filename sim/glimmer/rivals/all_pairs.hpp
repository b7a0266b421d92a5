// A dataset's distances on all threads: from one point to all, and of all pairs.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sim/glimmer/quality/input_distances.hpp"

namespace kinescope::sim::glimmer {

// δ from one point to all, [points], on all threads. O(N · H), or the feeder's time.
void whole_row(const InputDistances& distances, std::size_t from, std::span<float> to);

// Those of all pairs: δ_ij, j < i, at i(i − 1)/2 + j. O(N² H), on all threads. Throws Error (run) if memory is short,
// (input) for more points than `all_pairs_limit`, naming the algorithm.
inline constexpr std::size_t all_pairs_limit = 20'000;
std::vector<float> all_pairs(const InputDistances& distances, const Dataset& data, const char* algorithm);

}  // namespace kinescope::sim::glimmer
