#include "sim/k_means/distributed/messages.hpp"

#include <cstring>
#include <sstream>

#include "sim/data/limits.hpp"

namespace kinescope::sim::k_means {
namespace {

template <class Head>
Message<Head> message_of(std::span<const std::byte> message) {
  if (message.size() < sizeof(Head)) throw Lost("a message that is cut off");
  Message<Head> read;
  std::memcpy(&read.head, message.data(), sizeof(Head));
  message = message.subspan(sizeof(Head));
  read.numbers = {reinterpret_cast<const float*>(message.data()), message.size() / sizeof(float)};
  return read;
}

}  // namespace

std::optional<Presence> presence_of(std::string_view bytes) {
  Presence presence;
  if (bytes.size() != sizeof presence) return std::nullopt;
  std::memcpy(&presence, bytes.data(), sizeof presence);
  presence.machine[sizeof presence.machine - 1] = presence.device[sizeof presence.device - 1] = '\0';
  return presence;
}

Dealt dealt_of(const std::string& note) {
  Dealt dealt;
  std::istringstream lines(note);
  std::string line;
  std::getline(lines, line);
  std::getline(lines, dealt.memory);
  std::istringstream numbers(line);
  for (int worker = 0; numbers >> worker;) dealt.workers.push_back(worker);
  return dealt;
}

Message<Outline> outline_of(std::span<const std::byte> message) {
  const Message<Outline> read = message_of<Outline>(message);
  const Outline& outline = read.head;
  if (outline.points < 1 || outline.points > static_cast<std::int64_t>(maximum_rows) || outline.dimensions < 1 ||
      outline.clusters < 1 || read.numbers.size() % 2 != 0 ||
      static_cast<std::uint64_t>(outline.dimensions) != read.numbers.size() / 2)
    throw Lost("a message that contradicts itself");
  return read;
}

Message<Pass> pass_of(std::span<const std::byte> message, const Outline& outline) {
  const Message<Pass> read = message_of<Pass>(message);
  if (read.head.clusters < 1 || read.head.clusters > outline.clusters ||
      read.numbers.size() !=
          static_cast<std::size_t>(read.head.clusters) * static_cast<std::size_t>(outline.dimensions))
    throw Lost("a message that contradicts itself");
  return read;
}

}  // namespace kinescope::sim::k_means
