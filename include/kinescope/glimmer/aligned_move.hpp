// How far a picture of a layout has moved.
#pragma once

#include <span>

namespace kinescope::sim::glimmer {

// The root mean square move of the points that are in both pictures, after the second picture is turned (and perhaps
// mirrored) onto the first, as a part of the first picture's size. Both are [points × 2]; NaN: not in the picture. 0 if
// no point is in both. O(points).
double aligned_move(std::span<const float> before, std::span<const float> after);

}  // namespace kinescope::sim::glimmer
