// Guards the program against libraries that crash on damaged files: they read in a child process, where they can damage
// only that one's memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <sys/types.h>
#include <tuple>
#include <type_traits>

namespace kinescope::sim {

// One end of a connection between two processes of the same machine code; both have buffers.
class Channel {
 public:
  struct Closed {};  // thrown where the other end is gone

  explicit Channel(int socket) : socket_(socket) {}
  ~Channel();
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  void shut();  // both ends find it closed
  void send(const void* bytes, std::size_t count);
  void flush();
  void receive(void* into, std::size_t count);

 private:
  void send_now(const char* bytes, std::size_t count);
  std::size_t receive_some(char* into, std::size_t count);

  int socket_;
  std::string sent_;
  std::array<char, 1 << 16> received_{};
  std::size_t begin_ = 0, end_ = 0;  // what is left of it
};

// Sends plain values, texts, lists, optional values, and structs that name their parts as `parts(self)`.
template <class T>
void put(Channel& channel, const T& value) {
  if constexpr (std::is_trivially_copyable_v<T>) {
    channel.send(&value, sizeof value);
  } else if constexpr (requires { value.has_value(); }) {
    put(channel, value.has_value());
    if (value) put(channel, *value);
  } else if constexpr (requires { T::parts(value); }) {
    std::apply([&](const auto&... each) { (put(channel, each), ...); }, T::parts(value));
  } else {
    put(channel, std::uint64_t{value.size()});
    if constexpr (std::is_trivially_copyable_v<typename T::value_type>)
      channel.send(value.data(), value.size() * sizeof(typename T::value_type));
    else
      for (const auto& each : value) put(channel, each);
  }
}

// Receives what put() has sent. Throws Closed; std::bad_alloc.
template <class T>
T get(Channel& channel) {
  T value{};
  if constexpr (std::is_trivially_copyable_v<T>) {
    channel.receive(&value, sizeof value);
  } else if constexpr (requires { value.has_value(); }) {
    if (get<bool>(channel)) value = get<typename T::value_type>(channel);
  } else if constexpr (requires { T::parts(value); }) {
    std::apply([&](auto&... each) { ((each = get<std::remove_reference_t<decltype(each)>>(channel)), ...); },
               T::parts(value));
  } else {
    const auto size = static_cast<std::size_t>(get<std::uint64_t>(channel));
    if (size > value.max_size()) throw Channel::Closed{};
    if constexpr (std::is_trivially_copyable_v<typename T::value_type>) {
      value.resize(size);
      channel.receive(value.data(), size * sizeof(typename T::value_type));
    } else {
      for (std::size_t i = 0; i < size; ++i) value.push_back(get<typename T::value_type>(channel));
    }
  }
  return value;
}

// A child process that runs `read`, which must not use threads. What it throws ends the child, and is lost.
class ReaderProcess {
 public:
  // How long a library may take for one operation on a file of this size: damaged ones can be read without an end.
  static unsigned patience(const std::string& path);

  // `path` and `library` are for errors. The child has alarm() set to `seconds`. Throws Error (run) if no process can
  // be started.
  ReaderProcess(std::string path, const char* library, unsigned seconds,
                const std::function<void(Channel& channel)>& read);
  ~ReaderProcess();  // ends it
  ReaderProcess(const ReaderProcess&) = delete;
  ReaderProcess& operator=(const ReaderProcess&) = delete;

  Channel& channel() { return *channel_; }
  // Closes the channel and waits until it has ended. Throws Error (input) if it crashed, "damaged: LIBRARY crashes on
  // it", or ran out of time, "damaged: reading it does not end".
  void finish();

 private:
  int wait();

  std::string path_;
  const char* library_;
  pid_t id_ = 0;
  std::optional<Channel> channel_;
};

}  // namespace kinescope::sim
