// The connections of one generation of a group. Members call the same functions in the same order; these throw Lost
// once a member is gone, or after abort().
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

namespace kinescope::sim::k_means {

class Store;

class Connection {
 public:
  virtual ~Connection() = default;
  virtual void from_first(void* bytes, std::size_t count) = 0;     // rank 0's to all
  virtual void sum_at_first(std::span<std::int64_t> numbers) = 0;  // rank 0 gets the sums, the others keep theirs
  // From any thread: ends waiting, here and at the others. What has begun meanwhile is ended by another call.
  virtual void abort() = 0;
};

// Memory that members on one machine share: no copy goes through the system, and who waits looks at it.
class SharedMemory {
 public:
  // Rank 0's, for messages and sums of at most so many bytes and numbers. Null if there is no memory for it.
  static std::shared_ptr<SharedMemory> make(int size, std::size_t bytes, std::size_t numbers);
  // The memory of a process on this machine that has written address(); null if it cannot be reached.
  static std::shared_ptr<SharedMemory> open(const std::string& address);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  std::string address() const;
  bool holds(std::size_t bytes, std::size_t numbers) const;
  struct Head;
  Head& head() const { return *head_; }

 private:
  SharedMemory() = default;
  int file_ = -1;
  std::size_t size_ = 0;
  Head* head_ = nullptr;
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
