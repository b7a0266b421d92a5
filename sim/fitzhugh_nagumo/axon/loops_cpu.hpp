// Helpers of the axon's loops on the CPU.
#pragma once

#include <atomic>
#include <cmath>
#include <cstdint>
#include <immintrin.h>

#include "sim/fitzhugh_nagumo/march.hpp"

namespace kinescope::sim::fitzhugh_nagumo {

// While one of these lives, its thread treats numbers below 1e-38 as 0. The far tails of waves consist of such numbers,
// and processors are a hundred times slower with them.
class FlushTiny {
 public:
  FlushTiny() : before_(_mm_getcsr()) { _mm_setcsr(before_ | flush_to_zero | denormals_are_zero); }
  FlushTiny(const FlushTiny&) = delete;
  FlushTiny& operator=(const FlushTiny&) = delete;
  ~FlushTiny() { _mm_setcsr(before_); }

 private:
  static constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  unsigned before_;
};

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
