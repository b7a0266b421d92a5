// Reads what other processes of a group wrote: notes in the store, and messages. Whoever can write there may be of
// another version or damaged, so nothing is believed before it is checked.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/k_means/distributed/group.hpp"
#include "sim/k_means/distributed/protocol.hpp"

namespace kinescope::sim::k_means {

// A process's sign of life; its texts end. Nothing if these bytes are none.
std::optional<Presence> presence_of(std::string_view bytes);

// The note `generation/G`.
struct Dealt {
  std::vector<int> workers;  // of each part of the rows, as store.hpp says
  std::string memory;        // the address of the memory that they may share; "": there is none
};
Dealt dealt_of(const std::string& note);

// A message's head, and the numbers that follow, in the place where they arrived.
template <class Head>
struct Message {
  Head head;
  std::span<const float> numbers;
};
// Numbers: scale and centre. Throws Lost if the message is cut off or contradicts itself.
Message<Outline> outline_of(std::span<const std::byte> message);
// Numbers: the centroids of a pass of the run that `outline` describes. Throws Lost as above.
Message<Pass> pass_of(std::span<const std::byte> message, const Outline& outline);

}  // namespace kinescope::sim::k_means
