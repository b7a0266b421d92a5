// Work for groups of threads that share a small memory: a block on CUDA (groups.cuh), one thread on the CPU. A functor
// written over a group runs on both:
//
//   struct F {
//     struct Memory {...};                                                  // of one group, undefined at the start
//     template <class Group>
//     KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const;
//   };
//   launch_groups(executor, "label", extent, F{...});                        // one group for each item, in no order
//
// A group is a rectangle of lanes: lane() of lanes(), or column() of columns() and row() of rows(). sync() makes what
// each wrote in the memory visible to all.
#pragma once

#include <atomic>
#include <cstdint>

#include "sim/core/cpu.hpp"
#include "sim/core/host_device.hpp"

namespace kinescope::sim::landscape {

class SerialGroup {
 public:
  static constexpr int lane() { return 0; }
  static constexpr int lanes() { return 1; }
  static constexpr int column() { return 0; }
  static constexpr int columns() { return 1; }
  static constexpr int row() { return 0; }
  static constexpr int rows() { return 1; }
  void sync() const {}

  // Of all lanes, for all lanes.
  std::uint32_t sum(std::uint32_t value) { return value; }
  // values[i] becomes the sum of those before it; returns the sum of all. All lanes call it, after a sync.
  std::uint32_t scan(std::uint32_t* values, int count) {
    std::uint32_t total = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint32_t value = values[i];
      values[i] = total;
      total += value;
    }
    return total;
  }
};

template <class F>
void launch_groups(Cpu& cpu, const char* label, const Extent& extent, const F& f) {
  const std::int64_t count = extent.actual ? *extent.actual : extent.maximum;
  if (count == 0) return;
  cpu.tasks(label, count, [&f](std::int64_t item) {
    SerialGroup group;
    typename F::Memory memory;
    f(group, memory, item);
  });
}

// The sum before is returned. Only for counts: in which order they come must not matter to the result.
template <class T>
KINESCOPE_HD inline T fetch_add(T* to, T value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(to, value);
#else
  return std::atomic_ref<T>(*to).fetch_add(value, std::memory_order_relaxed);
#endif
}

// Two counts at once.
struct Pair {
  std::uint32_t first = 0, second = 0;
  KINESCOPE_HD Pair operator+(Pair other) const { return {first + other.first, second + other.second}; }
};

// to[i] = from[0] + … + from[i − 1], for count + 1 of them: the last is the sum of all. Scans on CUDA keep their
// scratch memory between calls.
template <class Executor>
class PairScan;

template <>
class PairScan<Cpu> {
 public:
  explicit PairScan(Cpu& cpu) : cpu_(cpu) {}

  // `from` has count + 1 elements, of which the last does not matter.
  void operator()(const Pair* from, Pair* to, std::int64_t count) {
    cpu_.once("scan", [=] {
      Pair sum;
      for (std::int64_t i = 0; i < count; ++i) {
        const Pair value = from[i];
        to[i] = sum;
        sum = sum + value;
      }
      to[count] = sum;
    });
  }

 private:
  Cpu& cpu_;
};

}  // namespace kinescope::sim::landscape
