// k-means clustering: Lloyd's iteration, its start by k-means++ or at random, and a sweep over K that a criterion
// decides. sim/k_means/formulas.hpp states what is computed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/groups.hpp"
#include "sim/core/published.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::sim {

inline constexpr std::uint32_t no_centroid = 0xFFFFFFFFu;

// What it publishes. Here clusters keep the numbers they started with, so that colours stay where they are; result()
// and the written tables number them by size, the largest 0, as the window does in words.
namespace k_means::published {
// [points × columns().size()], row-major. Up to three columns are the data's own; of more, the first three principal
// axes come first, and then as many columns as there is room for.
inline constexpr Published<float> positions{"positions"};
// [points], the cluster of each in the input's order; `no_centroid` before there is one.
inline constexpr Published<std::uint32_t> clusters{"clusters"};
// [capacity × columns of the data], row-major, in the data's units, as normalized; rows past those placed so far are
// NaN. `capacity` is the largest K of the start, and 1024 or the number of points at least: more clusters, made live,
// are not all there.
inline constexpr Published<float> centroids{"centroids"};
// [rows × columns] of regions(): whose region the middle of a cell is in; two columns only.
inline constexpr Published<std::uint32_t> regions{"regions"};
}  // namespace k_means::published

// What a finished clustering into K clusters is worth; smaller is better. sim/k_means/sweep/criteria.hpp has the
// formulas.
struct KMeansCriteria {
  std::int32_t clusters = 0;
  std::int32_t iterations = 0;
  double inertia = 0;       // Σ of the squared distances of the points from their centroids
  double bic = 0, aic = 0;  // of up to 32,768 points: of more, a sample
};

// Centroids after each iteration: rows[t][k × columns + c] after t iterations, the start being 0, in columns(); of the
// first iterations, as many as fit a bound of 2^18 numbers.
struct CentroidPaths {
  std::size_t clusters = 0, columns = 0;
  std::vector<std::vector<float>> rows;
};

// Where the cells of "regions" lie: row 0 at low_y.
struct RegionMap {
  int rows = 0, columns = 0;  // 0: there is none
  double low_x = 0, low_y = 0, high_x = 0, high_y = 0;
};

// What a k-means run offers beyond every simulation. Any thread may call, at any time, without waiting: what was known
// when the simulation last looked, at most a few batches ago.
class KMeans : public Simulation {
 public:
  virtual std::vector<std::string> columns() const = 0;  // names of those of "positions"
  virtual RegionMap regions() const = 0;
  virtual std::vector<KMeansCriteria> curve() const = 0;  // of a sweep: one a finished K, ascending
  virtual std::int32_t chosen() const = 0;                // of a sweep: the K with the least BIC so far; 0: none yet
  virtual std::shared_ptr<const CentroidPaths> paths() const = 0;  // of the K that is being computed; never null
  // Centroids, in columns(), and the sizes of their clusters in the last iteration (0 before the first), once the run
  // is over those of result(); null before there is a centroid.
  virtual std::shared_ptr<const Groups> groups() const = 0;
  // Those of the buffers of publication `publication` (SharedBuffers::generation), which may be older ones.
  virtual std::shared_ptr<const Groups> groups_of(std::uint64_t publication) const = 0;
};

const SimulationKind& k_means_kind();
std::vector<BenchmarkExperiment> k_means_experiments();

}  // namespace kinescope::sim
