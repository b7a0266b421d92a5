#include "sim/core/executors/cpu.hpp"

#include <cstring>
#include <new>
#include <oneapi/tbb/global_control.h>

#include "sim/core/error.hpp"

namespace kinescope::sim {

void* Cpu::allocate(std::size_t bytes) {
  void* memory = ::operator new(std::max<std::size_t>(bytes, 1), std::align_val_t(64), std::nothrow);
  if (!memory)
    throw run_error("out of memory: " + std::to_string(bytes >> 20) +
                    " MiB more are needed; try fewer points or columns");
  return memory;
}

void Cpu::release(void* memory) noexcept {
  ::operator delete(memory, std::align_val_t(64));
}
void Cpu::copy_in(void* to, const void* from, std::size_t bytes) {
  if (bytes) std::memcpy(to, from, bytes);
}
void Cpu::copy_out(void* to, const void* from, std::size_t bytes) {
  if (bytes) std::memcpy(to, from, bytes);
}

std::shared_ptr<void> limit_threads(int threads) {
  using oneapi::tbb::global_control;
  if (threads <= 0) return nullptr;
  return std::make_shared<global_control>(global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
}

}  // namespace kinescope::sim
