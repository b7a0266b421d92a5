#include "sim/core/by_text.hpp"

#include <cstdint>
#include <random>
#include <utility>

#include "sim/core/sip_hash.hpp"

namespace kinescope::sim {

std::size_t TextHash::operator()(std::string_view text) const {
  static const auto key = [] {
    std::random_device random;
    return std::pair(std::uint64_t{random()} << 32 | random(), std::uint64_t{random()} << 32 | random());
  }();
  return sip_hash(key.first, key.second, text);
}

}  // namespace kinescope::sim
