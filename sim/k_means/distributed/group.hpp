// What the members of a group share: a coordinator, and workers that compute passes for it. store.hpp says how they
// find each other, connection.hpp how numbers go between them.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/k_means/points.hpp"

namespace kinescope::sim::k_means {

// A member of the group is gone, or the group has changed.
struct Lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What a process says of itself, over and over.
struct Presence {
  std::uint64_t beats = 0;      // grows while it lives
  std::int64_t process = 0;     // on `machine`
  std::int64_t iteration = 0;   // of the coordinator's: the one that is computed
  std::uint32_t checksum = 0;   // of its data
  std::int32_t ready = 0;       // it has read them
  std::int64_t generation = 0;  // in which it waits to meet the others; −G: it has left G
  std::int64_t memory = 0;      // the generation whose shared memory it has reached
  std::uint64_t member = 0;     // drawn by it: a name may pass to another process
  std::int32_t listens = 0;     // for other machines
  char machine[64] = {};
  char device[96] = {};  // that computes; one of several workers may share it
};
Presence own_presence();
void write_text(std::span<char> to, const std::string& text);  // as much as there is room for

inline constexpr int beat_milliseconds = 50;  // from one sign of life to the next
inline constexpr int look_milliseconds = 2;   // from one look at those of others to the next

// CRC-32.
std::uint32_t checksum_of(std::span<const float> values);
std::uint32_t checksum_of(std::string_view bytes);

// The part `index` of `parts` of the rows: whole panels.
Rows rows_of(int index, int parts, std::int64_t points);

// Nanoseconds of a worker: computing, combining (receiving centroids, sending sums) and waiting. They follow the sums
// of a pass.
using Times = std::array<std::int64_t, 3>;

// The first message of a generation, with scale and centre behind it. Workers answer with how many rows they have been
// dealt. The others are a Pass (crew.hpp) with the centroids behind it; workers answer with sums and Times.
struct Outline {
  std::int64_t points = 0, dimensions = 0;
  std::int32_t clusters = 0;  // as in RunFacts
  float reach = 0;
};

}  // namespace kinescope::sim::k_means
