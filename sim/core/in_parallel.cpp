#include "kinescope/in_parallel.hpp"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include "kinescope/executors/hand_over.hpp"

namespace kinescope::sim {

void in_parallel_ranges(std::size_t count, std::size_t grain,
                        const std::function<void(std::size_t begin, std::size_t end)>& f) {
  HandOver launch;
  oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, count, grain),
                            [&](const auto& range) { launch.task([&] { f(range.begin(), range.end()); }); });
}

}  // namespace kinescope::sim
