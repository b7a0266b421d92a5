// Other processes that compute the labels and sums of a k-means run's iterations (coordinator.hpp, worker.hpp). The run
// itself stays what it is: it starts, moves the centroids, repairs, stops and writes as it does alone. Of each
// iteration only the pass over all points is theirs, and its sums are whole numbers: so the result has the same bits
// for any number of workers, however many are lost or come meanwhile, unless the rows of the lost are dropped.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/core/dataset.hpp"
#include "sim/core/report.hpp"
#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/k_means.hpp"

namespace kinescope::sim::k_means {

// What passes over the points need beside them, the same for all of a run.
struct RunFacts {
  std::vector<float> scale, centre;  // [d], for RunView
  float reach = 0;                   // likewise
  std::int32_t clusters = 0;         // the most that it is known to have
};

// What a pass needs beside that and the centroids.
struct Pass {
  std::int32_t clusters = 0;
  std::int32_t drops = 0;        // a lost worker's rows are left out until one comes
  std::int32_t leaves_last = 0;  // nobody needs the last cluster's sums
  std::int64_t iteration = 0;
  double inertia_limit = 0;
};

// The sums of a pass over the points, or over those that are not left out (RunView::sums), in parts: their sum is what
// counts.
struct PartialSums {
  Answers others;                     // each [(d + 1) × pass.clusters + 1]
  bool registered = false;            // the GPU reads `others` where they lie
  const std::int64_t* own = nullptr;  // of what this process computes, in a GPU's memory; null: nothing
};

class Crew {
 public:
  virtual ~Crew() = default;
  // The points, in the units of the distances; before the first sum(). Returns the moment that the run is to go on
  // from; empty: from its start.
  virtual std::string begin(std::shared_ptr<const Dataset> data, const RunFacts& facts) = 0;
  // Whether it is time to keep a moment of the run, from which it can go on if this process is lost.
  virtual bool wants_moment() const = 0;
  virtual void keep(const std::string& moment) = 0;
  // Where the run's GPU may write the centroids of the next pass, so many numbers, to save copying; null: it cannot.
  virtual float* place(std::size_t numbers) = 0;
  // A pass over all points. The parts stay where they are until the next call of place() or sum(). Nothing if there is
  // no worker, or if a cluster has lost its last point, whose repair needs all points.
  virtual std::optional<PartialSums> sum(const Pass& pass, std::span<const float> centroids) = 0;
  // How many points were left out of the last pass.
  virtual std::int64_t rows_missing() const = 0;
  virtual KMeansWorkers workers() const = 0;  // from any thread; never waits for what is computed or sent
  // Adds what became of the workers.
  virtual void report(Report& report) const = 0;
};

}  // namespace kinescope::sim::k_means
