// The connections of processes that are on one machine. Messages and answers are in memory that all of them share. A
// waiting process polls a number there for a while, and then sleeps until it is woken.
#include <atomic>
#include <chrono>
#include <climits>
#include <ctime>
#include <fcntl.h>
#include <linux/futex.h>
#include <random>
#include <sstream>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "sim/k_means/distributed/connection.hpp"
#include "sim/k_means/distributed/protocol.hpp"

namespace kinescope::sim::k_means {

// A number that grows. A thread that waits for it may sleep.
struct alignas(64) Counter {
  std::atomic<std::uint32_t> value;
  std::atomic<std::uint32_t> sleepers;

  void set(std::uint32_t to) {
    value.store(to);
    wake();
  }
  void wake() {
    if (sleepers.load() > 0) syscall(SYS_futex, &value, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
  void sleep(std::uint32_t seen) {
    const timespec longest{0, 50'000'000};
    ++sleepers;
    syscall(SYS_futex, &value, FUTEX_WAIT, seen, &longest, nullptr, 0);
    --sleepers;
  }
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

// The head of the shared memory. It is followed by a Counter for each process, the message's place, and a place for the
// answer of each worker.
struct SharedMemory::Head {
  std::uint64_t token;  // random; tells this memory from any other file that is found at address()
  std::uint64_t bytes, numbers, processes;
  std::uint64_t length;  // of the message
  std::atomic<std::uint32_t> aborted;
  Counter told;  // number of messages sent
  Handle twin;
  std::atomic<std::uint32_t> twin_offered, twin_open;  // whether there is a twin; how many workers have opened it
  bool uses_twin;                                      // whether the answers to the message go to the twin
  // A Counter for each process follows: the number of answers it has sent.

  static std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64; }
  static std::size_t whole(std::size_t processes, std::size_t bytes, std::size_t numbers) {
    return sizeof(Head) + processes * sizeof(Counter) + rounded(bytes) + (processes - 1) * rounded(8 * numbers);
  }
  Counter& answered(int rank) { return reinterpret_cast<Counter*>(this + 1)[rank]; }
  std::byte* message() { return reinterpret_cast<std::byte*>(&answered(static_cast<int>(processes))); }
  std::size_t stride() const { return rounded(8 * numbers) / 8; }
  std::int64_t* answer_of(int rank) {
    return reinterpret_cast<std::int64_t*>(message() + rounded(bytes)) + static_cast<std::size_t>(rank - 1) * stride();
  }
};

namespace {

using Clock = std::chrono::steady_clock;

// How long a waiting process polls before it sleeps. With at least two processors for each it polls for as long as a
// pass may take, because polling notices a change soonest; else it sleeps at once.
std::chrono::microseconds looking_time(int processes) {
  return std::chrono::microseconds(std::thread::hardware_concurrency() >= 2 * static_cast<unsigned>(processes) ? 2000
                                                                                                               : 0);
}

class MemoryConnection : public Connection {
 public:
  MemoryConnection(std::shared_ptr<SharedMemory> memory, int rank, int size)
      : memory_(std::move(memory)), head_(memory_->head()), rank_(rank), size_(size), looking_(looking_time(size)) {}
  ~MemoryConnection() override { abort(); }

  std::byte* message(std::size_t bytes) override {
    require(bytes <= head_.bytes);
    length_ = bytes;
    return head_.message();
  }
  void send() override {
    head_.length = length_;
    head_.uses_twin = head_.twin_open == head_.processes - 1;
    head_.told.set(++round_);
  }
  Answers answers(std::size_t count) override {
    require(count <= head_.numbers);
    for (int rank = 1; rank < size_; ++rank) await(head_.answered(rank), round_);
    return {head_.answer_of(1), static_cast<std::int64_t>(head_.stride()), size_ - 1, count,
            head_.uses_twin ? memory_->twin() : nullptr};
  }

  void await_message() override { await(head_.told, ++round_); }
  std::span<const std::byte> receive() override {
    const std::size_t length = head_.length;
    require(length <= head_.bytes);
    return {head_.message(), length};
  }
  std::int64_t* place(std::size_t count) override {
    require(count <= head_.numbers);
    return head_.answer_of(rank_);
  }
  void answer() override { head_.answered(rank_).set(round_); }

  std::shared_ptr<SharedMemory> memory() const override { return memory_; }
  void abort() override {
    head_.aborted = 1;
    head_.told.wake();
    for (int rank = 1; rank < size_; ++rank) head_.answered(rank).wake();
  }

 private:
  void require(bool fits) const {
    if (!fits) throw Lost("more than the shared memory holds");
  }
  static void pause() {
#ifdef __x86_64__
    __builtin_ia32_pause();
#else
    std::this_thread::yield();
#endif
  }
  void await(Counter& counter, std::uint32_t round) {
    const auto begin = Clock::now();
    for (;;) {
      const std::uint32_t seen = counter.value.load();
      if (static_cast<std::int32_t>(seen - round) >= 0) return;
      if (head_.aborted != 0) throw Lost("aborted");
      if (Clock::now() - begin < looking_)
        for (int i = 0; i < 16; ++i) pause();
      else
        counter.sleep(seen);
    }
  }

  const std::shared_ptr<SharedMemory> memory_;
  SharedMemory::Head& head_;
  const int rank_, size_;
  const std::chrono::microseconds looking_;
  std::uint32_t round_ = 0;  // number of the present message and its answers
  std::size_t length_ = 0;
};

void* mapped(int file, std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  return memory == MAP_FAILED ? nullptr : memory;
}

}  // namespace

std::shared_ptr<SharedMemory> SharedMemory::make(int size, std::size_t bytes, std::size_t numbers) {
  std::shared_ptr<SharedMemory> made(new SharedMemory);
  const std::size_t processes = static_cast<std::size_t>(size);
  made->size_ = Head::whole(processes, bytes, numbers);
  made->file_ = memfd_create("kinescope-group", MFD_CLOEXEC);
  // Allocates all of it now: if memory were missing when it is first written, the process would be killed.
  if (made->file_ < 0 || fallocate(made->file_, 0, 0, static_cast<off_t>(made->size_)) != 0) return nullptr;
  made->head_ = static_cast<Head*>(mapped(made->file_, made->size_));
  if (!made->head_) return nullptr;
  std::random_device random;
  made->head_->token = std::uint64_t{random()} << 32 | random();
  made->head_->bytes = bytes;
  made->head_->numbers = numbers;
  made->head_->processes = processes;
  return made;
}

// The memory's file has no name. It is found through the process that has it, which only the same user may inspect.
std::string SharedMemory::address() const {
  return std::to_string(getpid()) + " " + std::to_string(file_) + " " + std::to_string(head_->token);
}

std::shared_ptr<SharedMemory> SharedMemory::open(const std::string& address) {
  std::istringstream text(address);
  std::uint64_t process = 0, number = 0, token = 0;
  if (!(text >> process >> number >> token)) return nullptr;
  std::shared_ptr<SharedMemory> opened(new SharedMemory);
  const std::string path = "/proc/" + std::to_string(process) + "/fd/" + std::to_string(number);
  struct stat file;
  if (stat(path.c_str(), &file) != 0 || !S_ISREG(file.st_mode)) return nullptr;  // opening anything else might wait
  opened->file_ = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK);
  if (opened->file_ < 0 || fstat(opened->file_, &file) != 0) return nullptr;
  opened->size_ = static_cast<std::size_t>(file.st_size);
  if (opened->size_ < sizeof(Head)) return nullptr;
  opened->head_ = static_cast<Head*>(mapped(opened->file_, opened->size_));
  const Head* head = opened->head_;
  if (!head || head->token != token || opened->size_ != Head::whole(head->processes, head->bytes, head->numbers))
    return nullptr;
  return opened;
}

std::span<std::byte> SharedMemory::answers() const {
  return all().subspan(static_cast<std::size_t>(reinterpret_cast<std::byte*>(head_->answer_of(1)) - all().data()));
}

void SharedMemory::offer_twin(std::int64_t* twin, const Handle& handle, std::function<void()> release) {
  twin_ = twin;
  release_twin_ = std::move(release);
  head_->twin = handle;
  head_->twin_offered = 1;
}

// The lock ends when the file is closed, also when the process is killed.
const SharedMemory::Handle* SharedMemory::hold_twin() {
  return head_->twin_offered != 0 && flock(file_, LOCK_SH | LOCK_NB) == 0 ? &head_->twin : nullptr;
}

void SharedMemory::note_open() {
  ++head_->twin_open;
}

bool SharedMemory::uses_twin() const {
  return head_->uses_twin;
}

// CUDA may free the twin only when no other process has it open. A running process closes it as soon as it hears that
// the generation is over, but a suspended one does not. So this waits at most 250 ms, and else does not free the twin.
SharedMemory::~SharedMemory() {
  for (int milliseconds = 0; twin_ && milliseconds < 250; ++milliseconds) {
    if (flock(file_, LOCK_EX | LOCK_NB) == 0) {
      release_twin_();
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  if (head_) munmap(head_, size_);
  if (file_ >= 0) close(file_);
}

std::shared_ptr<Connection> connect(std::shared_ptr<SharedMemory> memory, int rank, int size) {
  return std::make_shared<MemoryConnection>(std::move(memory), rank, size);
}

}  // namespace kinescope::sim::k_means
