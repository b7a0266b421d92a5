#include "sim/core/executors/cpu_stepper.hpp"

#include <algorithm>
#include <utility>

namespace kinescope::sim {

bool Stepper<Cpu>::advance(const Budget& budget, const Iterate& iterate) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const auto spent = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  double mirrored_at = 0, level_since = 0;
  for (long done = 0; done < budget.iterations && !state_.converged;) {
    const std::int32_t level = state_.level;
    iterate(state_.program);
    ++done;
    const double now = spent();
    if (state_.level != level || state_.converged || now >= budget.seconds || done == budget.iterations) {
      const std::lock_guard lock(mutex_);
      level_seconds_[level] += now - std::exchange(level_since, now);
    }
    if (now >= budget.seconds) break;
    if (now - mirrored_at > 0.01) {  // other threads watch the progress
      mirror(now - mirrored_at);
      mirrored_at = now;
    }
  }
  mirror(spent() - mirrored_at);
  return !state_.converged;
}

void Stepper<Cpu>::mirror(double seconds) {
  const std::lock_guard lock(mutex_);
  seen_ = state_;
  seconds_ += seconds;
}

void Stepper<Cpu>::reset(const RunState& start) {
  const std::lock_guard lock(mutex_);
  state_ = seen_ = start;
  seconds_ = 0;
  level_seconds_.clear();
  ++run_;
}

RunState Stepper<Cpu>::seen() const {
  const std::lock_guard lock(mutex_);
  return seen_;
}

double Stepper<Cpu>::seconds() const {
  const std::lock_guard lock(mutex_);
  return seconds_;
}

double Stepper<Cpu>::level_seconds(std::int32_t level) const {
  const std::lock_guard lock(mutex_);
  const auto found = level_seconds_.find(level);
  return found == level_seconds_.end() ? 0 : found->second;
}

void Stepper<Cpu>::copy_history(History& history) const {
  const std::lock_guard lock(mutex_);
  if (history.run != run_) history = {{}, run_};
  const std::int64_t had = static_cast<std::int64_t>(history.points.size());
  const std::int64_t known = std::clamp<std::int64_t>(seen_.iteration, had, std::max(had, capacity()));
  history.points.insert(history.points.end(), history_.begin() + had, history_.begin() + known);
}

}  // namespace kinescope::sim
