// Parallel loops over plain host memory, for preparing data; they need no executor.
#pragma once

#include <cstddef>
#include <functional>

namespace kinescope::sim {

// Calls f(begin, end) on all threads, for ranges that together cover 0 … count. Only ranges longer than `grain` are
// split.
void in_parallel_ranges(std::size_t count, std::size_t grain,
                        const std::function<void(std::size_t begin, std::size_t end)>& f);

// Calls f(i) for each i below `count`, on all threads, in ranges as above.
template <class F>
void in_parallel(std::size_t count, std::size_t grain, F f) {
  in_parallel_ranges(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) f(i);
  });
}

}  // namespace kinescope::sim
