#include "sim/core/benchmark.hpp"

#include <algorithm>
#include <chrono>

namespace kinescope::sim {

RepeatedTimes repeat_timed(const std::function<double()>& once, int least, int most, double enough_seconds) {
  using Clock = std::chrono::steady_clock;
  once();
  const auto start = Clock::now();
  std::vector<double> seconds;
  while (static_cast<int>(seconds.size()) < most) {
    seconds.push_back(once());
    const double spent = std::chrono::duration<double>(Clock::now() - start).count();
    if (static_cast<int>(seconds.size()) >= least && spent > enough_seconds) break;
  }
  std::sort(seconds.begin(), seconds.end());
  return {seconds[seconds.size() / 2], seconds.front(), seconds.back(), static_cast<int>(seconds.size())};
}

}  // namespace kinescope::sim
