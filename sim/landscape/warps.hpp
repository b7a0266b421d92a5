// Work for lanes that run in step and read values of their neighbours. On CUDA the lanes are a warp (groups.cuh). On
// the CPU they are a loop over arrays, which the compiler vectorizes. A functor written over a warp runs on both:
//
//   struct F {
//     static constexpr int serial_width = 128;                   // lanes on the CPU; 32 if it votes
//     std::int64_t items(int width) const;                       // number of items, for warps of `width` lanes
//     template <class Warp>
//     KINESCOPE_HD void operator()(Warp& warp, std::int64_t item) const {
//       typename Warp::template PerLane<float> here, mean;       // a value of each lane
//       warp.each([&](int lane) { here[lane] = …; });
//       warp.each([&](int lane) { mean[lane] = 0.5f * (warp.from_left(here, lane) + here[lane]); });
//     }
//   };
//   launch_warps(executor, "label", F{...});
//
// from_left() and from_right() read what the neighbour wrote in an earlier each(). All lanes must call them. Beyond the
// ends the value is undefined.
#pragma once

#include <cstdint>

#include "kinescope/executors/cpu.hpp"
#include "kinescope/executors/host_device.hpp"

namespace kinescope::sim::landscape {

template <int lanes>
class SerialWarp {
 public:
  static constexpr int width = lanes;

  template <class T>
  class PerLane {
   public:
    KINESCOPE_HD T& operator[](int lane) { return values_[lane + 1]; }
    KINESCOPE_HD const T& operator[](int lane) const { return values_[lane + 1]; }

   private:
    T values_[lanes + 2];  // with one more value at either end
  };

  template <class F>
  KINESCOPE_HD void each(F f) const {
    for (int lane = 0; lane < lanes; ++lane) f(lane);
  }
  template <class T>
  KINESCOPE_HD T from_left(const PerLane<T>& values, int lane) const {
    return values[lane - 1];
  }
  template <class T>
  KINESCOPE_HD T from_right(const PerLane<T>& values, int lane) const {
    return values[lane + 1];
  }
  // Returns a word whose bit i is lane i's value.
  KINESCOPE_HD std::uint32_t vote(const PerLane<bool>& values) const {
    static_assert(lanes == 32);
    std::uint32_t bits = 0;
    for (int lane = 0; lane < lanes; ++lane) bits |= std::uint32_t{values[lane]} << lane;
    return bits;
  }
};

template <class F>
void launch_warps(Cpu& cpu, const char* label, const F& f) {
  using Warp = SerialWarp<F::serial_width>;
  cpu.tasks(label, f.items(Warp::width), [&f](std::int64_t item) {
    Warp warp;
    f(warp, item);
  });
}

// Stores two adjacent values; `to` must be aligned to the size of both.
template <class T>
KINESCOPE_HD inline void store_pair(T* to, T first, T second) {
#ifdef __CUDA_ARCH__
  struct alignas(2 * sizeof(T)) Pair {
    T first, second;
  };
  *reinterpret_cast<Pair*>(to) = {first, second};
#else
  to[0] = first;
  to[1] = second;
#endif
}

}  // namespace kinescope::sim::landscape
