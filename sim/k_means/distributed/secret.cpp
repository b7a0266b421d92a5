#include "sim/k_means/distributed/secret.hpp"

#include <random>
#include <sstream>

#include "sim/core/sip_hash.hpp"
#include "sim/k_means/distributed/protocol.hpp"

namespace kinescope::sim::k_means {

std::string Secret::drawn() {
  std::random_device random;
  std::string text;
  for (int word = 0; word < 4; ++word) text += std::to_string(random()) + " ";
  return text;
}

Secret::Secret(const std::string& text) {
  std::istringstream words(text);
  std::uint32_t word[4] = {};
  if (!(words >> word[0] >> word[1] >> word[2] >> word[3])) throw Lost("the group has no secret");
  for (int k = 0; k < 2; ++k) key_[k] = std::uint64_t{word[2 * k]} << 32 | word[2 * k + 1];
}

std::uint64_t Secret::answer(std::initializer_list<std::uint64_t> question) const {
  return sip_hash(key_[0], key_[1], {reinterpret_cast<const char*>(question.begin()), question.size() * 8});
}

}  // namespace kinescope::sim::k_means
