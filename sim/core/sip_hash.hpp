#pragma once

#include <cstdint>
#include <string_view>

namespace kinescope::sim {

// SipHash-2-4 (J.-P. Aumasson, D. J. Bernstein, 2012): without the key nobody can predict the hash of a new message.
std::uint64_t sip_hash(std::uint64_t key0, std::uint64_t key1, std::string_view message);

}  // namespace kinescope::sim
