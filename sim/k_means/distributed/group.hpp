// What coordinator and workers share. Between processes numbers go through gloo (TCP, here on this machine alone),
// which also finds the members through a folder that all of them see. In the folder there are
//
//   run.kinescope.json   what is computed, as a session: data, parameters, seed
//   coordinator, worker-N   one file a process, in which it says several times a second that it lives (Presence)
//   moment               where the run was at the beginning of an iteration, for --resume
//   notes, by gloo's FileStore under names of its own, each written once, whole or not at all:
//     generation/G       the worker of each part of the rows in the group's G-th form, 0 for a part that is left out;
//                        rank 0 is the coordinator, and the workers' ranks follow in this order
//     meet/G             all of them are free: they connect now
//     refused/N          why worker N is not taken
//     over               the run is over
//
// Every generation has connections of its own, made through notes that begin with its number. Who was left out of one
// has nothing to send into it: a worker that was stopped and goes on can disturb nobody.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

namespace kinescope::sim::k_means {

// Throws Error (input) in a build without gloo.
void require_gloo();

// A member of the group is gone, or the group has changed.
struct Lost : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class Notes {
 public:
  explicit Notes(const std::string& folder);  // throws Lost if there is none
  ~Notes();
  bool has(const std::string& name) const;
  void write(const std::string& name, const std::string& text);  // throws Lost
  std::string read(const std::string& name);                     // of a note that is there; throws Lost

 private:
  struct Store;
  std::unique_ptr<Store> store_;
};

// The connections of one generation. Members call the same functions in the same order; these throw Lost once a member
// is gone, or after abort().
class Connection {
 public:
  // Waits for the others; throws Lost if they do not come, or once given_up() says so.
  Connection(const std::string& folder, std::int64_t generation, int rank, int size,
             const std::function<bool()>& given_up);
  ~Connection();
  void from_first(void* bytes, std::size_t count);     // rank 0's to all
  void sum_at_first(std::span<std::int64_t> numbers);  // rank 0 gets the sums, the others keep theirs
  // From any thread: ends waiting, here and at the others. What has begun meanwhile is ended by another call.
  void abort();

 private:
  struct Mesh;
  std::unique_ptr<Mesh> mesh_;
};

// What a process says of itself, over and over.
struct Presence {
  std::uint64_t beats = 0;      // grows while it lives
  std::int64_t process = 0;     // on `machine`
  std::int64_t iteration = 0;   // of the coordinator's: the one that is computed
  std::uint32_t checksum = 0;   // of its data
  std::int32_t ready = 0;       // it has read them
  std::int64_t generation = 0;  // in which it waits to meet the others; −G: it has left G
  char machine[64] = {};
};

class PresenceFile {
 public:
  PresenceFile() = default;
  // Its own: made anew; throws Lost if it is there already. Another's: see exists().
  static PresenceFile make(const std::string& path);
  static PresenceFile open(const std::string& path);
  PresenceFile(PresenceFile&& other) noexcept;
  PresenceFile& operator=(PresenceFile&& other) noexcept;
  ~PresenceFile();
  bool exists() const { return file_ >= 0; }
  bool is_still(const std::string& path) const;  // the file of this name
  void write(const Presence& presence) const;
  Presence read() const;

 private:
  int file_ = -1;
};

std::string coordinator_file(const std::string& folder);
std::string worker_file(const std::string& folder, int number);
std::string run_file(const std::string& folder);
std::string moment_file(const std::string& folder);
Presence own_presence();

inline constexpr int beat_milliseconds = 50;  // from one sign of life to the next
inline constexpr int look_milliseconds = 2;   // from one look at those of others to the next

// CRC-32.
std::uint32_t checksum_of(std::span<const float> values);
std::uint32_t checksum_of(std::string_view bytes);

struct Rows {
  std::int64_t first = 0, count = 0;
};
// The part `index` of `parts` of the rows: whole panels.
Rows rows_of(int index, int parts, std::int64_t points);

// Nanoseconds of a worker: computing, combining (receiving centroids, sending sums) and waiting. Behind the sums of a
// pass each worker has a place of its own for the times that it ends with, so that adding keeps them apart.
using Times = std::array<std::int64_t, 3>;

// The first message of a generation.
struct Outline {
  std::int64_t points = 0, dimensions = 0;
};

}  // namespace kinescope::sim::k_means
