// Helpers of the axon's loops on the CPU.
#pragma once

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdint>

#include "kinescope/executors/flush_tiny.hpp"
#include "kinescope/executors/lanes.hpp"
#include "sim/fitzhugh_nagumo/march.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// Raises `bits` to `candidate` if that is larger; threads may call it in any order. The bits of floats that are not
// negative sort like the floats.
inline void raise_to(std::uint32_t& bits, std::uint32_t candidate) {
  std::atomic_ref<std::uint32_t> shared(bits);
  std::uint32_t seen = shared.load(std::memory_order_relaxed);
  while (seen < candidate && !shared.compare_exchange_weak(seen, candidate, std::memory_order_relaxed)) {
  }
}

// The bits of the largest |value|, or those of a NaN if any value is one. They are compared as integers, which sort
// like the numbers, those of a NaN above all: compilers make vectors of that, but not of a search that keeps a NaN.
template <class T>
std::uint32_t magnitude_bits(const T* values, std::int64_t count) {
  std::int32_t largest = 0;
  for (std::int64_t i = 0; i < count; ++i)
    largest = std::max(largest, std::bit_cast<std::int32_t>(static_cast<float>(values[i])) & 0x7FFFFFFF);
  return largest > 0x7F800000 ? 0x7FC00000u : static_cast<std::uint32_t>(largest);
}

// As many numbers as a vector of 32 bytes holds; an operator acts on each lane.
template <class T>
struct VectorOf {
  typedef T Type __attribute__((vector_size(32)));
};
template <class T>
using Vector = typename VectorOf<T>::Type;
template <class T>
inline constexpr int lane_count = 32 / sizeof(T);

// Exchanges rows and columns of 8 × 8 floats or 4 × 4 doubles.
inline void transpose(Vector<float> (&m)[8]) {
  lanes::transpose(m);
}
inline void transpose(Vector<double> (&m)[4]) {
  for (int r = 0; r < 4; r += 2) {
    const auto a = m[r], b = m[r + 1];
    m[r] = __builtin_shufflevector(a, b, 0, 4, 2, 6);
    m[r + 1] = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  }
  for (int r = 0; r < 2; ++r) {
    const auto a = m[r], b = m[r + 2];
    m[r] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
    m[r + 2] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  }
}

}  // namespace kinescope::sim::fitzhugh_nagumo
