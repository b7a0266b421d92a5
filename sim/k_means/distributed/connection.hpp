// The connections of one generation of a group. A message from rank 0 to all, and an answer from each other rank to
// rank 0, take turns. Both are written in the place from which they are sent, and read in the place where they arrive.
// So a GPU can write and read them itself if the places are in memory(). All waiting throws Lost once a process is
// gone, or after abort().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace kinescope::sim::k_means {

class SharedMemory;
class Store;

// The answers of all ranks but 0: `count` numbers each, in the order of the ranks.
struct Answers {
  const std::int64_t* first = nullptr;
  std::int64_t stride = 0;  // from the first number of one answer to that of the next
  std::int32_t workers = 0;
  std::size_t count = 0;
  // Where the sums among the answers are if they are in the memory of rank 0's GPU, also `stride` apart; null: they are
  // at `first`.
  const std::int64_t* twin = nullptr;

  std::span<const std::int64_t> operator[](int worker) const { return {first + worker * stride, count}; }
};

class Connection {
 public:
  virtual ~Connection() = default;
  // For rank 0. message() returns the place of the next message. Nothing written there is seen before send(), and all
  // must be written by then. Answers stay valid until the next send().
  virtual std::byte* message(std::size_t bytes) = 0;
  virtual void send() = 0;  // sends the message requested last
  virtual Answers answers(std::size_t count) = 0;
  // For the other ranks. A message stays valid until answer(). Once it has arrived, an answer of `count` numbers may be
  // written to place(count).
  virtual void await_message() = 0;
  virtual std::span<const std::byte> receive() = 0;  // the message that was awaited
  virtual std::int64_t* place(std::size_t count) = 0;
  virtual void answer() = 0;  // sends the numbers in the place requested last
  // The memory in which the places are; null if they are in memory that other processes cannot reach.
  virtual std::shared_ptr<SharedMemory> memory() const { return nullptr; }
  // May be called from any thread: ends all waiting, in all processes. Waits that begin during the call
  // may need another call.
  virtual void abort() = 0;
};

// Memory that processes on one machine share. Nothing is copied through the operating system, and a waiting process
// polls it.
class SharedMemory {
 public:
  // Called by rank 0: memory for `size` processes, messages of at most `bytes` bytes and answers of at most `numbers`
  // numbers. Null if there is not enough memory.
  static std::shared_ptr<SharedMemory> make(int size, std::size_t bytes, std::size_t numbers);
  // Opens the memory that another process on this machine describes by its address(); null if it cannot be reached.
  static std::shared_ptr<SharedMemory> open(const std::string& address);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::string address() const;
  std::span<std::byte> all() const { return {reinterpret_cast<std::byte*>(head_), size_}; }
  std::span<std::byte> answers() const;  // the places of all answers

  // answers() may have a twin in the memory of rank 0's GPU, which the GPUs of other processes open and write. The sums
  // of an answer are written there, at the same offset, if all others had opened the twin when the message was sent.
  using Handle = std::array<std::byte, 64>;  // with it another process opens the twin
  // `release` frees the twin. It is called at the end, once no process holds the twin any more; never, if one goes on
  // holding it.
  void offer_twin(std::int64_t* twin, const Handle& handle, std::function<void()> release);
  const Handle* hold_twin();                          // held as long as this and the process live; null: there is none
  void note_open();                                   // says that this process has opened the twin
  bool uses_twin() const;                             // whether answers to the last message go to the twin
  const std::int64_t* twin() const { return twin_; }  // only at rank 0
  struct Head;
  Head& head() const { return *head_; }

 private:
  SharedMemory() = default;
  int file_ = -1;
  std::size_t size_ = 0;
  Head* head_ = nullptr;
  std::int64_t* twin_ = nullptr;
  std::function<void()> release_twin_;
};
std::shared_ptr<Connection> connect(std::shared_ptr<SharedMemory> memory, int rank, int size);

// How processes on several machines connect.
struct NetworkSetup {
  Store& store;
  std::int64_t generation = 0;
  int rank = 0, size = 1;
  std::string listen;  // this machine's address for the others
};
bool has_network();  // false in a build without gloo
// Waits for the others. Throws Lost if they do not come or do not know the group's secret, or once given_up() returns
// true.
std::shared_ptr<Connection> connect(const NetworkSetup& setup, const std::function<bool()>& given_up);

}  // namespace kinescope::sim::k_means
