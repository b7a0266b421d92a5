#include "kinescope/executors/cpu_stepper.hpp"

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
    if (state_.level != level || state_.converged || now >= budget.seconds || done == budget.iterations)
      level_seconds_[level] += now - std::exchange(level_since, now);
    if (now >= budget.seconds) break;
    if (now - mirrored_at > 0.01) {  // people watch the progress
      mirror(state_, entries_.data());
      seconds_ += now - std::exchange(mirrored_at, now);
      news_();
    }
  }
  mirror(state_, entries_.data());
  seconds_ += spent() - mirrored_at;
  return !state_.converged;
}

void Stepper<Cpu>::reset(const RunState& start) {
  state_ = start;
  reset_mirror(start);
}

}  // namespace kinescope::sim
