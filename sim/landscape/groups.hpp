// Work for groups of threads that share a small memory: a block on CUDA (groups.cuh), one thread on the CPU. A functor
// written over a group runs on both:
//
//   struct F {
//     static constexpr int lanes = 128;                                     // 64, 128 or 256
//     struct Memory {...};                                                  // one per group, undefined at the start
//     template <class Group>
//     KINESCOPE_HD void operator()(Group& group, Memory& memory, std::int64_t item) const;
//   };
//   launch_groups(executor, "label", extent, F{...});                        // one group for each item, in any order
//
// A group is a rectangle of lanes: lane() of lanes(), or column() of columns() and row() of rows(); the lanes of a row
// run in step. sync() makes what each lane wrote in the memory visible to all.
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "kinescope/executors/cpu.hpp"
#include "kinescope/executors/executor.hpp"
#include "kinescope/executors/host_device.hpp"

namespace kinescope::sim::landscape {

class SerialGroup {
 public:
  KINESCOPE_HD static constexpr int lane() { return 0; }
  KINESCOPE_HD static constexpr int lanes() { return 1; }
  KINESCOPE_HD static constexpr int column() { return 0; }
  KINESCOPE_HD static constexpr int columns() { return 1; }
  KINESCOPE_HD static constexpr int row() { return 0; }
  KINESCOPE_HD static constexpr int rows() { return 1; }
  KINESCOPE_HD void sync() const {}

  // The sum over all lanes, returned to all.
  KINESCOPE_HD std::uint32_t sum(std::uint32_t value) { return value; }
  // values[i] becomes the sum of those before it; returns the sum of all. All lanes must call it, after a sync.
  KINESCOPE_HD std::uint32_t scan(std::uint32_t* values, int count) {
    std::uint32_t total = 0;
    for (int i = 0; i < count; ++i) {
      const std::uint32_t value = values[i];
      values[i] = total;
      total += value;
    }
    return total;
  }
  // Calls f(bit, rank) for each set bit of a row's word, on its lanes in parallel; rank is the number of set bits below
  // it.
  template <class F>
  KINESCOPE_HD void each_bit(std::uint32_t word, F f) const {
    for (std::uint32_t rank = 0; word; word &= word - 1) f(std::countr_zero(word), rank++);
  }
  // Sets bit `place` of 64 to `set`. Lanes call it for successive places, from 0 on.
  KINESCOPE_HD void keep_bit(std::uint64_t& bits, int place, bool set) const {
    bits = (place > 0 ? bits : 0) | std::uint64_t{set} << place;
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

// Adds `value` and returns the earlier sum. Only for counts: results must not depend on the order of the additions.
template <class T>
KINESCOPE_HD inline T fetch_add(T* to, T value) {
#ifdef __CUDA_ARCH__
  return atomicAdd(to, value);
#else
  return std::atomic_ref<T>(*to).fetch_add(value, std::memory_order_relaxed);
#endif
}

// Increments the count and returns the earlier value, so that each caller gets a place of its own, in any order.
template <class T>
KINESCOPE_HD inline T claim(T* count) {
#ifdef __CUDA_ARCH__
  const unsigned asking = __activemask(), below = asking & ((1u << (threadIdx.x & 31)) - 1);
  unsigned long long first = 0;
  if (!below) first = atomicAdd(reinterpret_cast<unsigned long long*>(count), __popc(asking));
  return static_cast<T>(__shfl_sync(asking, first, __ffs(asking) - 1)) + __popc(below);
#else
  return std::atomic_ref<T>(*count).fetch_add(1, std::memory_order_relaxed);
#endif
}

// Two counts at once.
struct Pair {
  std::uint32_t first = 0, second = 0;
  KINESCOPE_HD Pair operator+(Pair other) const { return {first + other.first, second + other.second}; }
};

// Exclusive running sums: to[i] = from[0] + … + from[i − 1] for count + 1 elements, so that the last is the sum of all.
// On CUDA a PairScan keeps its scratch memory between calls.
template <Executor E>
class PairScan;

template <>
class PairScan<Cpu> {
 public:
  explicit PairScan(Cpu& cpu) : cpu_(cpu) {}

  // `from` has count + 1 elements; the last one is ignored.
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
