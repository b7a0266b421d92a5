// Where the processes of a group find each other. A store contains
//
//   run.kinescope.json   what is computed, as a session: data, parameters, seed
//   secret               what processes prove to know before they exchange anything (network.cpp)
//   coordinator, worker-N   one for each process: it reports several times a second that it lives (Presence)
//   rows                 checksums of the data by blocks of rows (held_rows.hpp)
//   moment               the state of the run before an iteration, for --resume
//   notes, each written once, whole or not at all:
//     generation/G       the worker of each part of the rows in generation G of the group; 0 for a part that is left
//                        out. Rank 0 is the coordinator, and the workers' ranks follow in this order. A second line has
//                        the address of the memory that they may share (connection.hpp)
//     meet/G             says that all workers are free, and connect now: by memory, or by network
//     G/R, G/rank_R      where rank R of generation G listens
//     refused/N          why worker N is refused
//     over               the run is over
//
// Every generation has connections of its own, made through notes that begin with its number. A process that is not in
// a generation cannot send anything to it: so a worker that was suspended and wakes up disturbs nobody.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sim/k_means/distributed/protocol.hpp"

namespace kinescope::sim::k_means {

// A store is used by one thread at a time, so each thread has its own. It may be lost at any time: a server is stopped,
// a folder is removed, a disk is full. Each function says how it then fails.
class Store {
 public:
  virtual ~Store() = default;
  virtual bool has(const std::string& name) = 0;                             // lost: false
  virtual void write(const std::string& name, const std::string& text) = 0;  // throws StoreLost
  // Writes the first note; false if it is there already. Throws StoreLost.
  virtual bool begin(const std::string& name, const std::string& text) = 0;
  virtual std::string read(const std::string& name) = 0;  // throws StoreLost, also if it is not there
  // Takes the name for this store's own signs of life; false if somebody has it. Throws StoreLost.
  virtual bool claim(const std::string& name, const Presence& presence) = 0;
  virtual void beat(const Presence& presence) = 0;  // reports no failure: to others it looks like silence
  // Whether the claimed name still belongs to this store; true while a server does not answer.
  virtual bool owns() = 0;
  virtual std::optional<Presence> presence(const std::string& name) = 0;  // lost: none
  // Removes all notes (notes_among) except those named, and nothing else. A server: throws StoreLost; a folder: removes
  // what it can.
  virtual void clear(const std::set<std::string>& but) = 0;
  // Removes all notes, and the folder if nothing else is in it. Fails as clear does.
  virtual void remove() = 0;
};

// Those of the `names` in a store that notes of a group can have, with `slash` in the place of '/'. A note of a
// generation is one only beside that generation's: the file 2024-11 is somebody else's. They come before it.
std::vector<std::string> notes_among(const std::set<std::string>& names, char slash);

inline bool is_redis(const std::string& address) {
  return address.starts_with("redis://");
}
// `address` is an existing folder that is this user's alone, or redis://HOST:PORT/NAME. Throws StoreLost.
std::unique_ptr<Store> open_store(const std::string& address);
using OpenStore = std::function<std::unique_ptr<Store>(const std::string& address)>;

inline constexpr const char* loopback = "127.0.0.1";  // a machine's address for itself
inline constexpr std::size_t most_note_bytes = 512 << 20;
inline constexpr const char* run_name = "run.kinescope.json";

inline std::string worker_name(int number) {
  return "worker-" + std::to_string(number);
}

}  // namespace kinescope::sim::k_means
