// Whether columns of numbers are the same to the last bit, NaN included.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "kinescope/numbers.hpp"

namespace kinescope::sim {

inline bool same_bits(const Numbers& a, const Numbers& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
           return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
         });
}

}  // namespace kinescope::sim
