#include "sim/core/sip_hash.hpp"

#include <bit>
#include <cstring>

namespace kinescope::sim {

std::uint64_t sip_hash(std::uint64_t key0, std::uint64_t key1, std::string_view message) {
  std::uint64_t v0 = key0 ^ 0x736f6d6570736575u, v1 = key1 ^ 0x646f72616e646f6du, v2 = key0 ^ 0x6c7967656e657261u,
                v3 = key1 ^ 0x7465646279746573u;
  const auto round = [&] {
    v0 += v1, v1 = std::rotl(v1, 13) ^ v0, v0 = std::rotl(v0, 32);
    v2 += v3, v3 = std::rotl(v3, 16) ^ v2;
    v0 += v3, v3 = std::rotl(v3, 21) ^ v0;
    v2 += v1, v1 = std::rotl(v1, 17) ^ v2, v2 = std::rotl(v2, 32);
  };
  const auto take = [&](std::uint64_t word) {
    v3 ^= word;
    round(), round();
    v0 ^= word;
  };
  std::size_t at = 0;
  for (; at + 8 <= message.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, message.data() + at, 8);
    take(word);
  }
  std::uint64_t last = std::uint64_t{message.size()} << 56;
  for (int byte = 0; at < message.size(); ++at, ++byte)
    last |= std::uint64_t{static_cast<unsigned char>(message[at])} << 8 * byte;
  take(last);
  v2 ^= 0xff;
  round(), round(), round(), round();
  return v0 ^ v1 ^ v2 ^ v3;
}

}  // namespace kinescope::sim
