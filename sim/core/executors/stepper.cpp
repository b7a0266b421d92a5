#include "kinescope/executors/stepper.hpp"

#include <algorithm>

namespace kinescope::sim {

void RunMirror::mirror(const RunState& now, const HistoryPoint* entries) {
  seen_ = now;
  const auto known = static_cast<std::int64_t>(history_.size()), all = std::min(now.iteration, capacity_);
  if (all > known) history_.add({entries + known, entries + all});
}

// A run that goes on keeps its history; another begins a new one.
void RunMirror::reset_mirror(const RunState& start) {
  if (start.iteration == 0 || start.iteration != seen_.iteration) history_.clear();
  seen_ = start;
  seconds_ = 0;
  level_seconds_.clear();
}

double RunMirror::level_seconds(std::int32_t level) const {
  const auto found = level_seconds_.find(level);
  return found == level_seconds_.end() ? 0 : found->second;
}

}  // namespace kinescope::sim
