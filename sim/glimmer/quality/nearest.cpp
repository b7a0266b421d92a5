#include "sim/glimmer/quality/nearest.hpp"

#include <algorithm>
#include <cmath>

#include "kinescope/in_parallel.hpp"

namespace kinescope::sim::glimmer {

std::vector<Neighbour> nearest_of(std::span<const float> distances, std::size_t first, std::size_t self,
                                  std::size_t count) {
  std::vector<Neighbour> found;
  if (count == 0) return found;
  for (std::size_t k = 0; k < distances.size(); ++k) {
    const Neighbour next{static_cast<std::uint32_t>(first + k), distances[k]};
    if (first + k == self || std::isnan(distances[k]) || (found.size() == count && !(next < found.back()))) continue;
    if (found.size() == count) found.pop_back();
    found.insert(std::upper_bound(found.begin(), found.end(), next), next);
  }
  return found;
}

std::vector<Neighbour> nearest_rows(const InputDistances& input, std::size_t point, std::size_t count,
                                    const std::stop_token& stop) {
  constexpr std::size_t block_points = 16'384;
  const std::size_t n = input.points(), blocks = (n + block_points - 1) / block_points;
  std::vector<float> fed(input.by_rows() ? 0 : n);
  if (!input.by_rows()) input.row(point, fed);
  std::vector<std::vector<Neighbour>> parts(blocks);
  in_parallel(blocks, 1, [&](std::size_t block) {
    if (stop.stop_requested()) return;
    const std::size_t first = block * block_points, here = std::min(block_points, n - first);
    std::vector<float> own(input.by_rows() ? here : 0);
    if (input.by_rows()) input.part(point, first, own);
    parts[block] = nearest_of(input.by_rows() ? std::span<const float>(own) : std::span(fed).subspan(first, here),
                              first, point, count);
  });
  if (stop.stop_requested()) return {};
  std::vector<Neighbour> all;
  for (const std::vector<Neighbour>& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  all.resize(std::min(all.size(), count));
  return all;
}

}  // namespace kinescope::sim::glimmer
