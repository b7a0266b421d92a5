// What the window shows of a k-means run that has several processes: points in the colours of their workers, and in the
// corner a strip for each worker, which shows how it spends its time.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "app/scenes/points/point_layer.hpp"
#include "kinescope/k_means/k_means.hpp"

namespace kinescope::app {

class WorkerColours : public PointLayer {
 public:
  void begin_run(const std::shared_ptr<const sim::Dataset>&, sim::ParameterSet&) override { parts_.clear(); }
  void update(const PointView& view) override;
  std::string colouring() const override { return "worker"; }
  std::shared_ptr<const Colouring> colours() const override { return colours_; }

 private:
  struct Part {
    int worker = 0;
    std::int64_t first = 0, rows = 0;
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts_;  // the parts that colours_ shows
  std::shared_ptr<const Colouring> colours_;
};

class WorkerStrips {
 public:
  void begin_run() { *this = {}; }
  // Once a frame; `seconds` since the last one.
  void update(sim::KMeansWorkers now, double seconds, std::int64_t points);
  // Fills the rest of ImGui's window.
  void draw(Ui& ui) const;

 private:
  using Shares = std::array<float, 3>;  // computing, combining, waiting: 1 in total, or all 0 if absent
  struct Strip {
    sim::KMeansWorker before;
    std::deque<Shares> slots;  // the latest last
  };

  sim::KMeansWorkers now_;
  std::vector<Strip> strips_;  // one for each worker
  double slot_seconds_ = 0;    // duration of the current slot so far
  std::int64_t missing_ = 0;   // points that no worker has
};

}  // namespace kinescope::app
