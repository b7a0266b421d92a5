// Finds the clusters of converged points: points whose modes are within a radius of each other, joined transitively.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace kinescope::sim::mean_shift {

struct Labels {
  // [points] the cluster of each point. Clusters are numbered from 0, the largest first; of equally large ones, the one
  // with the smallest index of a point first.
  std::vector<std::uint32_t> cluster;
  std::vector<std::int64_t> sizes;      // [clusters]
  std::vector<std::int64_t> centroids;  // [clusters] the point with the largest weight, the first among equals
};

// y: [columns × stride], by column; weights: [points]; number: [points], how many points each one stands for; empty: 1
// each. Modes in the same cell of a lattice with a 32nd of the radius as pitch are one mode, at the place of its first
// point. Modes within the radius are joined. O(N) if there are few modes. The result depends only on the arguments.
Labels label_modes(std::span<const float> y, std::int64_t stride, std::int64_t points, int columns,
                   std::span<const float> weights, double radius, std::span<const float> number = {});

}  // namespace kinescope::sim::mean_shift
