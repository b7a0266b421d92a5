// k-means clustering: Lloyd's iteration, started by k-means++ or at random, and a sweep over K that chooses the number
// of clusters by a criterion (BIC). sim/k_means/formulas.hpp states what is computed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kinescope/groups.hpp"
#include "kinescope/published.hpp"
#include "kinescope/simulation.hpp"

namespace kinescope::sim {

namespace k_means {
class Group;  // sim/k_means/distributed/group.hpp
}

inline constexpr std::uint32_t no_centroid = 0xFFFFFFFFu;

// The published buffers. In them clusters keep the numbers with which they started, so that their colours stay the
// same. result(), the written tables and the window's texts number the clusters by size, the largest as 0.
namespace k_means::published {
// [points × columns], row-major. Data of up to three columns are published as they are. For more columns, the
// first three principal axes come first, followed by as many of the data's columns as there is room for.
inline constexpr Published<float> positions{"positions"};
// [points], the cluster of each point, in the input's order; `no_centroid` before there are centroids.
inline constexpr Published<std::uint32_t> clusters{"clusters"};
// [capacity × columns of the data], row-major, in the data's normalized units; rows past the centroids placed so far
// are NaN. `capacity` is the largest K at the start, but at least the smaller of 1024 and the number of points; if K is
// raised beyond it later, the rest is not shown.
inline constexpr Published<float> centroids{"centroids"};
// [rows × columns] of RegionMap: the cluster whose centroid is nearest to the middle of each cell. Only for data of two
// columns.
inline constexpr Published<std::uint32_t> regions{"regions"};
// [points], for pictures: the colour of each pixel's centroid, red in the lowest byte, 255 in the highest; grey before
// there are centroids.
inline constexpr Published<std::uint32_t> segmented{"segmented"};
}  // namespace k_means::published

// The quality of a finished clustering into K clusters. A smaller BIC or AIC is better; sim/k_means/sweep/criteria.hpp
// has the formulas.
struct KMeansCriteria {
  std::int32_t clusters = 0;
  std::int32_t iterations = 0;
  double inertia = 0;       // Σ of the squared distances of the points from their centroids
  double bic = 0, aic = 0;  // computed from at most 32,768 points: from a sample if there are more
};

struct KMeansSweep {
  std::vector<KMeansCriteria> curve;  // one entry for each finished K, ascending
  std::int32_t chosen = 0;            // the K with the least BIC so far; 0: none yet
};

// The centroids after each iteration: entry (t × clusters + k) × columns + c of `values` is the state after t
// iterations (0: the start), in PublishedColumns. Holds as many of the first iterations as fit into 2^18 numbers.
struct CentroidPaths {
  std::size_t clusters = 0, columns = 0;
  Logged<float> values;

  std::size_t rows() const { return values.entries.size() / std::max<std::size_t>(1, clusters * columns); }
  std::span<const float> row(std::size_t t) const {
    return values.entries.subspan(t * clusters * columns, clusters * columns);
  }
};

// Where the cells of "regions" lie: row 0 is at low_y.
struct RegionMap {
  int rows = 0, columns = 0;
  double low_x = 0, low_y = 0, high_x = 0, high_y = 0;
};

// A worker of a run that has several processes (sim/k_means/distributed).
struct KMeansWorker {
  int number = 0;
  bool works = false;                                // false: it is lost, refused, or not here yet
  std::int64_t first = 0, rows = 0;                  // its part of the points
  std::string device;                                // the GPU it computes on; "": the CPU
  double computing = 0, combining = 0, waiting = 0;  // seconds so far
};
struct KMeansWorkers {
  struct Event {
    std::int64_t iteration = 0;
    int worker = 0;
  };
  std::vector<KMeansWorker> workers;
  std::vector<Event> lost, joined;
};

// The facts in a run's snapshots: PublishedColumns ("positions"), RegionMap, KMeansSweep in a sweep, CentroidPaths for
// the K that is being computed, KMeansWorkers if there are any, and Groups, once there are centroids: these, in
// PublishedColumns, and the sizes of their clusters in the last iteration (0 before the first); after the run those of
// result(). On CUDA they are of what the host knew last, at most a few batches ago.

// What a k-means run offers beyond Simulation.
class KMeans : public Simulation {
 public:
  // From now on a group computes the iterations' passes over the points. Throws Error (input).
  virtual void compute_with(std::shared_ptr<k_means::Group> workers) = 0;
  // Writes the cluster of each point to `to`, [points], numbered as in result(); `no_centroid` before there is a
  // centroid. Waits for the device.
  virtual void labels(std::span<std::uint32_t> to) = 0;
  // The seconds in which the points were sent to the device or, on the CPU, laid out.
  virtual double sending_seconds() const = 0;
};

const SimulationKind& k_means_kind();

}  // namespace kinescope::sim
