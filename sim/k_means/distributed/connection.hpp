// The connections of one generation of a group, over which a message of rank 0 to all and an answer of each other to
// rank 0 take turns. Both are written where they are sent from and read where they arrive, so that a GPU can do that
// itself if the places are in memory(). Waiting throws Lost once a member is gone, or after abort().
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

// Of all but rank 0, `count` numbers each, in the order of their ranks.
struct Answers {
  const std::int64_t* first = nullptr;
  std::int64_t stride = 0;  // from the numbers of one to those of the next
  std::int32_t members = 0;
  std::size_t count = 0;
  // In the memory of rank 0's GPU: where the sums among them lie instead, `stride` apart as well; null: at `first`.
  const std::int64_t* twin = nullptr;

  std::span<const std::int64_t> operator[](int member) const { return {first + member * stride, count}; }
};

class Connection {
 public:
  virtual ~Connection() = default;
  // Rank 0. What is written to the message's place changes nothing until it is sent, and must be ready by then. Answers
  // stay until the next send().
  virtual std::byte* message(std::size_t bytes) = 0;
  virtual void send() = 0;  // the message asked for last
  virtual Answers answers(std::size_t count) = 0;
  // The others. A message stays until answer(); an answer of so many numbers may be written once it is there.
  virtual void await_message() = 0;
  virtual std::span<const std::byte> receive() = 0;  // the one that was awaited
  virtual std::int64_t* place(std::size_t count) = 0;
  virtual void answer() = 0;  // the numbers of the place asked for last
  // In which the places are; null: nobody else's memory reaches them.
  virtual std::shared_ptr<SharedMemory> memory() const { return nullptr; }
  // From any thread: ends waiting, here and at the others. What has begun meanwhile is ended by another call.
  virtual void abort() = 0;
};

// Memory that members on one machine share: no copy goes through the system, and who waits looks at it.
class SharedMemory {
 public:
  // Rank 0's, for messages and answers of at most so many bytes and numbers. Null if there is no memory for it.
  static std::shared_ptr<SharedMemory> make(int size, std::size_t bytes, std::size_t numbers);
  // The memory of a process on this machine that has written address(); null if it cannot be reached.
  static std::shared_ptr<SharedMemory> open(const std::string& address);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::string address() const;
  std::span<std::byte> all() const { return {reinterpret_cast<std::byte*>(head_), size_}; }
  std::span<std::byte> answers() const;  // the places of all of them

  // answers() may have a twin in the memory of rank 0's GPU, which the GPUs of other processes open and write. The sums
  // of an answer go there, as far from its begin, if all others had it open when the message was sent.
  using Handle = std::array<std::byte, 64>;  // by which another process opens it
  // `release` is called at the end, once nobody holds the twin any more; never, if somebody goes on holding it.
  void offer_twin(std::int64_t* twin, const Handle& handle, std::function<void()> release);
  const Handle* hold_twin();                          // for as long as this or the process lives; null: there is none
  void note_open();                                   // it is open here
  bool uses_twin() const;                             // for the answers to the last message
  const std::int64_t* twin() const { return twin_; }  // rank 0's
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

// Members that are not on one machine.
struct NetworkSetup {
  Store& store;
  std::int64_t generation = 0;
  int rank = 0, size = 1;
  std::string listen;  // this machine's address for the others
};
bool has_network();  // false in a build without gloo
// Waits for the others; throws Lost if they do not come or do not know the group's secret, or once given_up() says so.
std::shared_ptr<Connection> connect(const NetworkSetup& setup, const std::function<bool()>& given_up);

}  // namespace kinescope::sim::k_means
