#include "sim/k_means/distributed/protocol.hpp"

#include <algorithm>
#include <cstring>
#include <random>
#include <unistd.h>
#include <zlib.h>

namespace kinescope::sim::k_means {

Presence own_presence() {
  Presence presence;
  std::random_device random;
  presence.identity = std::uint64_t{random()} << 32 | random();
  presence.process = getpid();
  gethostname(presence.machine, sizeof presence.machine - 1);
  return presence;
}

void write_text(std::span<char> to, const std::string& text) {
  std::memcpy(to.data(), text.data(), std::min(text.size(), to.size() - 1));
}

std::uint32_t checksum_of(std::span<const float> values) {
  return checksum_of(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
}
std::uint32_t checksum_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size()));
}

Rows rows_of(int index, int parts, std::int64_t points) {
  const std::int64_t panels = (points + panel - 1) / panel;
  const std::int64_t first = panels * index / parts * panel, end = panels * (index + 1) / parts * panel;
  return {first, std::min(end, points) - std::min(first, points)};
}

}  // namespace kinescope::sim::k_means
