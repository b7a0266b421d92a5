// Reductions over a whole warp; all lanes get the result. For 32-bit unsigned integers this is one instruction from
// compute capability 8.0 on; otherwise values are combined in a fixed tree.
#pragma once

#include <cstdint>
#include <type_traits>

namespace kinescope::sim {

// This is one template without overloads: an overload in a nested namespace would hide it and convert its argument.
template <class T>
__device__ inline T warp_sum(T value) {
#if __CUDA_ARCH__ >= 800
  if constexpr (std::is_same_v<T, std::uint32_t>) return __reduce_add_sync(~0u, value);
#endif
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
