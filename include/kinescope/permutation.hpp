// A random permutation of 0 … n − 1 as a function of the index: it needs no memory, has no order of evaluation, and is
// the same on both processors. A Feistel network permutes the next power of four; an index that lands outside is sent
// through again (cycle walking), fewer than four times on average.
#pragma once

#include <cstdint>

#include "kinescope/executors/host_device.hpp"

namespace kinescope::sim {

class Permutation {
 public:
  KINESCOPE_HD Permutation(std::uint64_t size, std::uint64_t seed) : size_(size), seed_(seed) {
    while (half_bits_ < 31 && (std::uint64_t{1} << (2 * half_bits_)) < size) ++half_bits_;
  }

  KINESCOPE_HD std::uint64_t operator()(std::uint64_t index) const {
    do index = encrypt(index);
    while (index >= size_);
    return index;
  }

 private:
  KINESCOPE_HD std::uint64_t encrypt(std::uint64_t index) const {
    const std::uint64_t mask = (std::uint64_t{1} << half_bits_) - 1;
    std::uint64_t left = index >> half_bits_, right = index & mask;
    for (std::uint64_t round = 0; round < 6; ++round) {
      const std::uint64_t mixed = left ^ (mix(right + (seed_ ^ mix(round))) & mask);
      left = right;
      right = mixed;
    }
    return left << half_bits_ | right;
  }

  // splitmix64's finalizer (G. Steele, D. Lea, C. Flood, 2014).
  KINESCOPE_HD static std::uint64_t mix(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15ull;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
    return x ^ (x >> 31);
  }

  std::uint64_t size_, seed_;
  std::uint32_t half_bits_ = 1;
};

}  // namespace kinescope::sim
