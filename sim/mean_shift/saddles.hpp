// Points that have come to rest at a saddle of the density. A point that starts near the border between two modes may
// come so near to a saddle that its shifts are too small to be told from rest.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/mean_shift/labels.hpp"
#include "sim/mean_shift/prepare.hpp"

namespace kinescope::sim::mean_shift {

struct Departure {
  std::int64_t point = 0;
  std::vector<float> place;  // [columns], from which the point goes on, in internal units
};

// Checks the clusters of at most a hundredth of the points, the smallest first. At a mode of the density the iteration
// draws near points nearer; at a saddle it drives them away in one direction, along which the points of that cluster
// depart, each to the side to which it shifts. `places` are the points' places in internal units, [columns × points].
// Only for the gaussian kernel. O(N · columns²) for each such cluster and each of its points, but no more than 2^27
// pairs in all, on all threads. Source: D. Comaniciu, P. Meer, "Mean shift", 2002, section 2.4 (saddles are unstable).
std::vector<Departure> departures_from_saddles(const Prepared& prepared, const Plan& plan,
                                               std::span<const float> places, const Labels& labels);

}  // namespace kinescope::sim::mean_shift
