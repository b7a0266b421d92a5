// k-means clustering: Lloyd's iteration, its start by k-means++ or at random, and a sweep over K that a criterion
// decides. sim/k_means/formulas.hpp states what is computed.
//
// Buffers that it publishes (names as in BufferSource):
//   "clusters"   uint32 [points], the cluster of each point in the input's order; `no_centroid` before there is one
//   "centroids"  float32 [capacity × columns], row-major, in the data's units; rows past those placed so far are NaN.
//                `capacity` is the largest K of the run.
// The points themselves never move: a scene draws the dataset's values. While it runs clusters keep the numbers they
// started with; result() and the written tables number them by size, the largest 0.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/simulation.hpp"

namespace kinescope::sim {

inline constexpr std::uint32_t no_centroid = 0xFFFFFFFFu;

// What a finished clustering into K clusters is worth; smaller is better. sim/k_means/criteria.hpp has the formulas.
struct KMeansCriteria {
  std::int32_t clusters = 0;
  std::int32_t iterations = 0;
  double inertia = 0;  // Σ of the squared distances of the points from their centroids
  double bic = 0, aic = 0;
};

// Centroids after each iteration: rows[t][k × columns + c] after t iterations, the start being 0; of the first
// iterations, as many as fit a bound of 2^18 numbers.
struct CentroidPaths {
  std::int32_t clusters = 0, columns = 0;
  std::vector<std::vector<float>> rows;
};

// What a k-means simulation tells beside the general interface; reached by dynamic_cast. Any thread may call, at any
// time: the answer is a copy of what was known when the simulation last looked, at most a few batches ago.
class KMeansView {
 public:
  virtual ~KMeansView() = default;

  virtual std::vector<KMeansCriteria> curve() const = 0;  // one a finished K, ascending
  virtual CentroidPaths paths() const = 0;                // of the K that is being computed
  virtual std::vector<std::int64_t> sizes() const = 0;    // [clusters] of the last K finished, in the run's numbering
  virtual std::int32_t chosen() const = 0;                // the K with the least BIC so far; 0 before there is one
};

const SimulationKind& k_means_kind();
std::vector<BenchmarkExperiment> k_means_experiments();

}  // namespace kinescope::sim
