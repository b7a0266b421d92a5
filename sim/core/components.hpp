// Components: groups of points such that no distance leads from one group to another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kinescope::sim {

// Numbers components. `groups` [points] has the same value, below `points`, for the points of a component. The result
// [points] counts from 0: the largest component is 0; of equally large ones, that of the first point is before the
// others. O(points + components · log components).
std::vector<std::uint32_t> largest_first(std::vector<std::uint32_t> groups);

// The points of each component, ascending. O(points).
std::vector<std::vector<std::uint32_t>> members_of(const std::vector<std::uint32_t>& components);

}  // namespace kinescope::sim
