#include "sim/core/components.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kinescope::sim {

std::vector<std::uint32_t> largest_first(std::vector<std::uint32_t> groups) {
  std::vector<std::size_t> sizes(groups.size());
  std::vector<std::uint32_t> order;  // the groups by their first points
  for (const std::uint32_t group : groups)
    if (sizes[group]++ == 0) order.push_back(group);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return sizes[a] > sizes[b]; });
  std::vector<std::uint32_t> number(groups.size());
  for (std::size_t k = 0; k < order.size(); ++k) number[order[k]] = static_cast<std::uint32_t>(k);
  for (std::uint32_t& group : groups) group = number[group];
  return groups;
}

std::vector<std::vector<std::uint32_t>> members_of(const std::vector<std::uint32_t>& components) {
  std::vector<std::vector<std::uint32_t>> members;
  for (std::size_t i = 0; i < components.size(); ++i) {
    if (members.size() <= components[i]) members.resize(components[i] + 1);
    members[components[i]].push_back(static_cast<std::uint32_t>(i));
  }
  return members;
}

}  // namespace kinescope::sim
