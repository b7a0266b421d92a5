// Helpers of the axon's loops on the CPU.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>

#include "sim/core/executors/flush_tiny.hpp"
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

// The bits of the largest |value|, or those of a NaN if any value is one. As integers the bits sort like the numbers,
// those of a NaN above all.
template <class T>
std::uint32_t magnitude_bits(const T* values, std::int64_t count) {
  float largest = 0;
  bool ordered = true;
  for (std::int64_t i = 0; i < count; ++i) {
    const float magnitude = std::fabs(static_cast<float>(values[i]));
    largest = magnitude > largest ? magnitude : largest;
    ordered = ordered & (magnitude == magnitude);
  }
  return ordered ? bits_of(largest) : 0x7FC00000u;
}

}  // namespace kinescope::sim::fitzhugh_nagumo
