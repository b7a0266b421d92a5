// What a run and its workers agree on. The run is the coordinator of a group, and the workers compute passes for it.
// store.hpp says how they find each other, connection.hpp how numbers get from one to another.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "sim/k_means/points.hpp"

namespace kinescope::sim::k_means {

// A process of the group is gone, or the group has changed.
struct Lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The store of the group cannot be reached, or a note is not there.
struct StoreLost : Lost {
  using Lost::Lost;
};

// What a process reports about itself, several times a second.
struct Presence {
  std::uint64_t beats = 0;     // grows while it lives
  std::int64_t process = 0;    // process id on `machine`
  std::int64_t iteration = 0;  // only in the coordinator's: the iteration that is computed
  std::uint32_t checksum = 0;  // of its data
  std::int32_t ready = 0;      // it has read its data; the coordinator's: it has written the note `rows`
  // The generation in which it waits to meet the others; −G: it has left generation G. The coordinator's: the latest.
  std::int64_t generation = 0;
  std::int64_t memory = 0;     // the generation whose shared memory it has reached
  std::uint64_t identity = 0;  // random number of the process: another process may take over its name
  std::int32_t listens = 0;    // processes on other machines can connect to it
  char machine[64] = {};
  char device[96] = {};  // the GPU it computes on; several workers may share it
};
Presence own_presence();
void write_text(std::span<char> to, const std::string& text);  // cut to the room there is

inline constexpr int beat_milliseconds = 50;  // from one sign of life to the next
inline constexpr int look_milliseconds = 2;   // from one check of the others' signs of life to the next

// CRC-32.
std::uint32_t checksum_of(std::span<const float> values);
std::uint32_t checksum_of(std::string_view bytes);

// The part `index` of `parts` of the rows; parts consist of whole panels.
Rows rows_of(int index, int parts, std::int64_t points);

// How a worker spent a pass, in nanoseconds: computing, combining (receiving centroids, sending sums) and waiting. In
// an answer these numbers follow the sums.
using Times = std::array<std::int64_t, 3>;

// The first message of a generation, followed by scale and centre. Workers answer with the number of rows they were
// dealt. Every later message is a Pass (group.hpp) followed by the centroids; workers answer with sums and Times.
struct Outline {
  std::int64_t points = 0, dimensions = 0;
  std::int32_t clusters = 0;  // as in RunFacts
  float reach = 0;
};

}  // namespace kinescope::sim::k_means
