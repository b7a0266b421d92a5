// Where the members of a group find each other. In it there are
//
//   run.kinescope.json   what is computed, as a session: data, parameters, seed
//   secret               what members prove to have before they hear anything (network.cpp)
//   coordinator, worker-N   one a process, in which it says several times a second that it lives (Presence)
//   rows                 checksums of the data by blocks of rows (held_rows.hpp)
//   moment               where the run was at the beginning of an iteration, for --resume
//   notes, each written once, whole or not at all:
//     generation/G       the worker of each part of the rows in the group's G-th form, 0 for a part that is left out;
//                        rank 0 is the coordinator, and the workers' ranks follow in this order. In a second line the
//                        memory that they may share (connection.hpp)
//     meet/G             all of them are free, and connect now: by memory, or by network
//     G/R                where rank R of that form listens
//     refused/N          why worker N is not taken
//     over               the run is over
//
// Every generation has connections of its own, made through notes that begin with its number. Who was left out of one
// has nothing to send into it: a worker that was stopped and goes on can disturb nobody.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/k_means/distributed/group.hpp"

namespace kinescope::sim::k_means {

// Used by one thread at a time: each has its own. All but has() and presence() throw Lost where the store cannot be
// reached.
class Store {
 public:
  virtual ~Store() = default;
  virtual bool has(const std::string& name) = 0;
  virtual void write(const std::string& name, const std::string& text) = 0;
  virtual bool begin(const std::string& name, const std::string& text) = 0;  // false if the note is there already
  virtual std::string read(const std::string& name) = 0;                     // throws Lost if it is not there
  // Takes the name for this store's own signs of life; false if somebody has it.
  virtual bool claim(const std::string& name, const Presence& presence) = 0;
  virtual void beat(const Presence& presence) = 0;  // what does not arrive looks like silence
  virtual bool owns() = 0;                          // what it has taken is still there
  virtual std::optional<Presence> presence(const std::string& name) = 0;
  virtual void clear(const std::string& but) = 0;  // removes all there is, but this note
};

inline bool is_redis(const std::string& address) {
  return address.starts_with("redis://");
}
// A folder that exists, or redis://HOST:PORT/NAME. Throws Lost.
std::unique_ptr<Store> open_store(const std::string& address);

inline constexpr const char* loopback = "127.0.0.1";  // a machine's address for itself
inline constexpr const char* run_name = "run.kinescope.json";

inline std::string worker_name(int number) {
  return "worker-" + std::to_string(number);
}

}  // namespace kinescope::sim::k_means
