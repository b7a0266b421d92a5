// Reductions over a whole warp, for all its lanes: of whole numbers one instruction since compute capability 8.0, of
// others a fixed tree.
#pragma once

#include <cstdint>

namespace kinescope::sim {

__device__ inline std::uint32_t warp_sum(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
  return value;
#endif
}

template <class T>
__device__ inline T warp_sum(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(~0u, value, offset);
  return value;
}

__device__ inline std::uint32_t warp_max(std::uint32_t value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(~0u, value);
#else
  for (int offset = 16; offset > 0; offset /= 2) value = max(value, __shfl_xor_sync(~0u, value, offset));
  return value;
#endif
}

}  // namespace kinescope::sim
