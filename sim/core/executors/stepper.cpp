#include "sim/core/executors/stepper.hpp"

#include <algorithm>

namespace kinescope::sim {

void RunMirror::reset_mirror(const RunState& start) {
  const std::lock_guard lock(mutex_);
  seen_ = start;
  seconds_ = 0;
  level_seconds_.clear();
  ++run_;
}

RunState RunMirror::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

double RunMirror::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

double RunMirror::level_seconds(std::int32_t level) const {
  const std::lock_guard lock(mutex_);
  const auto found = level_seconds_.find(level);
  return found == level_seconds_.end() ? 0 : found->second;
}

void RunMirror::copy_history(History& history) const {
  const std::lock_guard lock(mutex_);
  if (history.run != run_) history = {{}, run_};
  const std::int64_t had = static_cast<std::int64_t>(history.points.size());
  const std::int64_t known = std::clamp<std::int64_t>(seen_.iteration, had, std::max(had, capacity_));
  history.points.insert(history.points.end(), noted_ + had, noted_ + known);
}

}  // namespace kinescope::sim
