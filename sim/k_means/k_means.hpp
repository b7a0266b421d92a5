// k-means clustering: Lloyd's iteration, its start by k-means++ or at random, and a sweep over K that a criterion
// decides. sim/k_means/formulas.hpp states what is computed.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/core/groups.hpp"
#include "sim/core/published.hpp"
#include "sim/core/simulation.hpp"

namespace kinescope::sim {

namespace k_means {
class Crew;  // sim/k_means/distributed/crew.hpp
}

inline constexpr std::uint32_t no_centroid = 0xFFFFFFFFu;

// The published buffers. In them clusters keep the numbers with which they started, so that colours stay; result(), the
// written tables and the window's texts number them by size, the largest as 0.
namespace k_means::published {
// [points × columns().size()], row-major. Up to three columns are the data's own; of more columns the first three
// principal axes come first, and then as many columns as there is room for.
inline constexpr Published<float> positions{"positions"};
// [points], the cluster of each in the input's order; `no_cluster` before clusters exist.
inline constexpr Published<std::uint32_t> clusters{"clusters"};
// [capacity × columns of the data], row-major, in the data's normalized units; rows past the centroids placed so far
// are NaN. `capacity` is the largest K at the start, but at least the smaller of 1024 and the number of points; if K is
// raised beyond it later, the rest is not shown.
inline constexpr Published<float> centroids{"centroids"};
// [rows × columns] of regions(): the cluster to whose region the middle of a cell belongs; two columns only.
inline constexpr Published<std::uint32_t> regions{"regions"};
}  // namespace k_means::published

// The quality of a finished clustering into K clusters; smaller is better. sim/k_means/sweep/criteria.hpp has the
// formulas.
struct KMeansCriteria {
  std::int32_t clusters = 0;
  std::int32_t iterations = 0;
  double inertia = 0;       // Σ of the squared distances of the points from their centroids
  double bic = 0, aic = 0;  // over up to 32,768 points; if there are more, over a sample
};

// Centroids after each iteration: rows[t][k × columns + c] after t iterations, where 0 is the start, in columns(); for
// as many of the first iterations as fit into 2^18 numbers.
struct CentroidPaths {
  std::size_t clusters = 0, columns = 0;
  std::vector<std::vector<float>> rows;
};

// Where the cells of "regions" lie: row 0 is at low_y.
struct RegionMap {
  int rows = 0, columns = 0;  // 0: there is no map
  double low_x = 0, low_y = 0, high_x = 0, high_y = 0;
};

// A worker of a run that has several processes (sim/k_means/distributed).
struct KMeansWorker {
  int number = 0;
  bool works = false;                                // else it is lost, not here yet, or refused
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

// What a k-means run offers beyond Simulation. Any thread may call these at any time; they never wait, but return what
// was known when the simulation last looked, at most a few batches ago.
class KMeans : public Simulation {
 public:
  // From now on the iterations' passes over the points are left to a crew. Throws Error (input).
  virtual void employ(std::shared_ptr<k_means::Crew> crew) = 0;
  virtual KMeansWorkers workers() const = 0;
  virtual std::vector<std::string> columns() const = 0;  // names of the columns of "positions"
  // The cluster of each point, as result() numbers them, to [points]; waits for the device. Call it where result() may
  // be called. `no_centroid` before there is a centroid.
  virtual void labels(std::span<std::uint32_t> to) = 0;
  // The part of the run's seconds in which the points were sent to the device, or laid out.
  virtual double sending_seconds() const = 0;
  virtual RegionMap regions() const = 0;
  virtual std::vector<KMeansCriteria> curve() const = 0;  // in a sweep: one entry for each finished K, ascending
  virtual std::int32_t chosen() const = 0;                // in a sweep: the K with the least BIC so far; 0: none yet
  virtual std::shared_ptr<const CentroidPaths> paths() const = 0;  // for the K that is being computed; never null
  // Centroids, in columns(), and the sizes of their clusters in the last iteration (0 before the first); after the run
  // those of result(). Null before there is a centroid.
  virtual std::shared_ptr<const Groups> groups() const = 0;
  // The groups of publication `publication` (SharedBuffers::generation), which may be older.
  virtual std::shared_ptr<const Groups> groups_of(std::uint64_t publication) const = 0;
};

const SimulationKind& k_means_kind();
std::vector<BenchmarkExperiment> k_means_experiments();

}  // namespace kinescope::sim
