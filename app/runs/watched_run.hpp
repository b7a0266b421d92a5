// What the window shows of a run in this frame: its progress and its curve, and in both what the scene has measured.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kinescope/dataset.hpp"
#include "kinescope/snapshot.hpp"

namespace kinescope::app {

struct WatchedRun {
  sim::Progress progress;
  std::vector<sim::HistoryPoint> curve;
  std::string measured;  // name of the second figure, if the scene measures it; else ""

  // How many points there are to see. `data`: null if the simulation takes none.
  std::size_t points(const sim::Dataset* data) const { return data ? data->points : progress.points; }

  // Takes over the progress, and the points of the curve that are new.
  void take(const sim::Snapshot& now) {
    progress = now.progress;
    const auto& points = now.history.entries;
    if (now.history.version != version_ || points.size() < curve.size()) curve.clear();
    version_ = now.history.version;
    curve.insert(curve.end(), points.begin() + std::ptrdiff_t(curve.size()), points.end());
  }

 private:
  std::uint64_t version_ = 0;
};

}  // namespace kinescope::app
