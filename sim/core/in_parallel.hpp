// Loops of preparing, which need no launch.
#pragma once

#include <cstddef>
#include <functional>

namespace kinescope::sim {

// f(begin, end) for ranges that cover 0 … count, on all threads, each at least `grain` long where there is so much.
void in_parallel_ranges(std::size_t count, std::size_t grain,
                        const std::function<void(std::size_t begin, std::size_t end)>& f);

// f(i) for each i below `count`, on all threads, at least `grain` of them at a time.
template <class F>
void in_parallel(std::size_t count, std::size_t grain, F f) {
  in_parallel_ranges(count, grain, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) f(i);
  });
}

}  // namespace kinescope::sim
