// What members of a group know and others do not.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

namespace kinescope::sim::k_means {

// SipHash-2-4 (J.-P. Aumasson, D. J. Bernstein, 2012): without the key nobody can tell the value of a new message.
std::uint64_t sip_hash(std::uint64_t key0, std::uint64_t key1, std::string_view message);

class Secret {
 public:
  static std::string drawn();                // the text of a new one
  explicit Secret(const std::string& text);  // throws Lost if it is none
  std::uint64_t answer(std::initializer_list<std::uint64_t> question) const;

 private:
  std::uint64_t key_[2] = {};
};

}  // namespace kinescope::sim::k_means
