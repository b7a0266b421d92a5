#include "kinescope/executors/cpu.hpp"

#include <atomic>
#include <cstring>
#include <new>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_for.h>
#include <oneapi/tbb/task_arena.h>

#include "kinescope/executors/hand_over.hpp"
#include "sim/core/out_of_memory.hpp"

namespace kinescope::sim {

struct Cpu::Threads {
  // Raises oneTBB's limit if more threads than processors are wanted: otherwise it ignores the number and warns on
  // stderr.
  std::shared_ptr<void> more;
  oneapi::tbb::task_arena arena;
  std::atomic<std::size_t> held = 0;

  explicit Threads(int count)
      : more(count > cpu_threads() ? limit_threads(count) : nullptr),
        arena(count > 0 ? count : oneapi::tbb::task_arena::automatic) {}
};

Cpu::Cpu(const Setup& setup)
    : threads_(std::make_shared<Threads>(setup.threads)),
      trace_(setup.trace ? setup.trace : std::make_shared<Trace>()) {}

void* Cpu::allocate(std::size_t bytes) {
  void* memory = ::operator new(std::max<std::size_t>(bytes, 1), std::align_val_t(64), std::nothrow);
  if (!memory) throw OutOfMemory(bytes);
  threads_->held += bytes;
  return memory;
}

void Cpu::release(void* memory, std::size_t bytes) noexcept {
  ::operator delete(memory, std::align_val_t(64));
  threads_->held -= bytes;
}

std::size_t Cpu::held() const {
  return threads_->held;
}

void Cpu::copy_in(void* to, const void* from, std::size_t bytes) {
  if (bytes) std::memcpy(to, from, bytes);
}
void Cpu::copy_out(void* to, const void* from, std::size_t bytes) {
  if (bytes) std::memcpy(to, from, bytes);
}

void Cpu::run_ranges(std::int64_t count, std::int64_t grain, const void* work,
                     void (*run)(const void* work, std::int64_t begin, std::int64_t end)) {
  const std::int64_t chunks = (count + grain - 1) / grain;
  HandOver launch;
  threads_->arena.execute([&] {
    oneapi::tbb::parallel_for(oneapi::tbb::blocked_range<std::int64_t>(0, chunks), [&](const auto& range) {
      launch.task([&] { run(work, range.begin() * grain, std::min(range.end() * grain, count)); });
    });
  });
}

std::shared_ptr<void> limit_threads(int threads) {
  using oneapi::tbb::global_control;
  if (threads <= 0) return nullptr;
  return std::make_shared<global_control>(global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
}

}  // namespace kinescope::sim
