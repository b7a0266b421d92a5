// The secret by which the processes of a group recognise each other.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

namespace kinescope::sim::k_means {

class Secret {
 public:
  static std::string drawn();                // the text of a new random secret
  explicit Secret(const std::string& text);  // throws Lost if the text is no secret
  std::uint64_t answer(std::initializer_list<std::uint64_t> question) const;

 private:
  std::uint64_t key_[2] = {};
};

}  // namespace kinescope::sim::k_means
