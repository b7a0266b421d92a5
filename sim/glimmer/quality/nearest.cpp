#include "kinescope/glimmer/nearest.hpp"

#include <algorithm>
#include <cmath>

#include "kinescope/in_parallel.hpp"

namespace kinescope::sim::glimmer {

std::vector<Neighbour> nearest_of(std::span<const float> distances, std::size_t self, std::size_t count) {
  std::vector<Neighbour> found;
  if (count == 0) return found;
  for (std::size_t j = 0; j < distances.size(); ++j) {
    const Neighbour next{static_cast<std::uint32_t>(j), distances[j]};
    if (j == self || std::isnan(distances[j]) || (found.size() == count && !(next < found.back()))) continue;
    if (found.size() == count) found.pop_back();
    found.insert(std::upper_bound(found.begin(), found.end(), next), next);
  }
  return found;
}

std::vector<Neighbour> nearest_rows(const InputDistances& input, std::size_t point, std::size_t count,
                                    const std::stop_token& stop) {
  constexpr std::size_t block_points = 16'384;
  const std::size_t n = input.points();
  std::vector<float> distances(n);
  if (!input.by_rows()) input.row(point, distances);
  in_parallel(input.by_rows() ? (n + block_points - 1) / block_points : 0, 1, [&](std::size_t block) {
    const std::size_t first = block * block_points;
    if (!stop.stop_requested())
      input.part(point, first, std::span(distances).subspan(first, std::min(block_points, n - first)));
  });
  return stop.stop_requested() ? std::vector<Neighbour>() : nearest_of(distances, point, count);
}

}  // namespace kinescope::sim::glimmer
