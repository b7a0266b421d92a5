// Loops of preparing, which need no launch.
#pragma once

#include <cstddef>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

namespace kinescope::sim::glimmer {

// f(i) for each i below `count`, on all threads, at least `grain` of them at a time.
template <class F>
void in_parallel(std::size_t count, std::size_t grain, F f) {
  oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::size_t>(0, count, grain), [&](const auto& range) {
    for (std::size_t i = range.begin(); i < range.end(); ++i) f(i);
  });
}

}  // namespace kinescope::sim::glimmer
