// Finds clusters of converged points: points whose modes lie within a radius of each other, joined transitively.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kinescope::sim::mean_shift {

struct Labels {
  std::vector<std::uint32_t>
      cluster;  // [points], from 0, the largest first; of equal ones the one with the smallest index first
  std::vector<std::int64_t> sizes;      // [clusters]
  std::vector<std::int64_t> centroids;  // [clusters] the point of largest weight; of equal ones the first
};

// y: [columns × stride] by column; weights: [points]; number: [points] how many points each counts for; empty: one.
// Modes that agree to a 32nd of the radius are one mode, at the place of its first point; modes within the radius are
// joined. O(N) if there are few modes; the result depends only on the arguments.
Labels label_modes(std::span<const float> y, std::int64_t stride, std::int64_t points, int columns,
                   std::span<const float> weights, double radius, std::span<const float> number = {});

}  // namespace kinescope::sim::mean_shift
