// Other processes that compute the labels and sums of a k-means run's iterations (coordinator.hpp, worker.hpp). The run
// itself does the rest as it does alone: it chooses the start, moves the centroids, repairs, stops and writes. The
// group computes only each iteration's pass over all points, and its sums are whole numbers. So the result has the same
// bits for any number of workers, however many are lost or come meanwhile, unless the rows of lost workers are dropped.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/k_means/k_means.hpp"
#include "kinescope/report.hpp"
#include "sim/k_means/distributed/connection.hpp"

namespace kinescope::sim::k_means {

// What passes over the points need in addition to the points; the same for a whole run.
struct RunFacts {
  std::vector<float> scale, centre;  // [d], for RunView
  float reach = 0;                   // for RunView
  std::int32_t clusters = 0;         // the most clusters that the run is known to need
};

// What a pass needs in addition to RunFacts and the centroids.
struct Pass {
  std::int32_t clusters = 0;
  std::int32_t drops = 0;        // the rows of a lost worker are left out until another worker comes
  std::int32_t leaves_last = 0;  // nobody needs the last cluster's sums
  std::int64_t iteration = 0;
  double inertia_limit = 0;
};

// The sums of a pass (RunView::sums) over all points, or over those that are not left out. They are in parts, which the
// caller adds up.
struct PartialSums {
  Answers others;                     // each [(d + 1) × pass.clusters + 1]
  bool registered = false;            // the GPU reads `others` where they are
  const std::int64_t* own = nullptr;  // this process's own sums, in a GPU's memory; null: it computes none
};

class Group {
 public:
  virtual ~Group() = default;
  // Gives the group the points, in the units in which distances are taken; called before the first sum(). Returns the
  // moment from which the run is to go on; empty: it begins at its start.
  virtual std::string begin(std::shared_ptr<const Dataset> data, const RunFacts& facts) = 0;
  // Whether it is time to keep a moment of the run, from which it can go on if this process is lost.
  virtual bool wants_moment() const = 0;
  virtual void keep(const std::string& moment) = 0;
  // Where the run's GPU may write the `numbers` centroids of the next pass, which saves a copy; null: it cannot.
  virtual float* place(std::size_t numbers) = 0;
  // Computes a pass over all points. The parts stay valid until the next call of place() or sum(). Returns nothing if
  // there is no worker, or if rows are left out and a cluster has lost its last point, because a repair needs all
  // points.
  virtual std::optional<PartialSums> sum(const Pass& pass, std::span<const float> centroids) = 0;
  // The number of points left out of the last pass.
  virtual std::int64_t rows_missing() const = 0;
  virtual KMeansWorkers workers() const = 0;  // does not wait for computing or sending
  // While begin() or sum() wait for workers, they call `news` now and then.
  virtual void tell(std::function<void()> news) = 0;
  // Adds to the report what became of the workers.
  virtual void report(Report& report) const = 0;
};

}  // namespace kinescope::sim::k_means
