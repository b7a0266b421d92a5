// Adds whole numbers from many threads into global memory.
#pragma once

#include <cstdint>

#include "kinescope/executors/warp.cuh"

namespace kinescope::sim::k_means {
namespace kernels {

inline constexpr int block_threads = 256;

__device__ inline void add_to(std::int64_t* sum, std::int64_t value) {
  if (value != 0) atomicAdd(reinterpret_cast<unsigned long long*>(sum), static_cast<unsigned long long>(value));
}

// 64-bit sums in shared memory, each as two words of 32 bits, for which shared memory has fast atomics.
struct SharedSums {
  unsigned* low;
  int* high;

  __device__ SharedSums(void* memory, int size) : low(static_cast<unsigned*>(memory)) {
    high = reinterpret_cast<int*>(low + size);
    for (int e = threadIdx.x; e < size; e += blockDim.x) low[e] = 0, high[e] = 0;
  }
  __device__ void add(int e, std::int64_t value) const {
    const unsigned part = static_cast<unsigned>(value);
    const unsigned before = atomicAdd(&low[e], part);
    const int rest = static_cast<int>(value >> 32) + (before + part < before);
    if (rest != 0) atomicAdd(&high[e], rest);
  }
  __device__ std::int64_t operator[](int e) const { return (static_cast<std::int64_t>(high[e]) << 32) + low[e]; }
};

}  // namespace kernels
}  // namespace kinescope::sim::k_means
