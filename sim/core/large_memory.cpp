#include "kinescope/large_memory.hpp"

#include <cstdint>
#include <sys/mman.h>
#include <unistd.h>

namespace kinescope::sim {
namespace {

// Calls madvise for the whole pages of some memory.
void advise(void* memory, std::size_t bytes, int advice) noexcept {
  static const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGE_SIZE));
  const auto begin = reinterpret_cast<std::uintptr_t>(memory), first = (begin + page - 1) / page * page,
             last = (begin + bytes) / page * page;
  if (first < last) madvise(static_cast<char*>(memory) + (first - begin), last - first, advice);
}

}  // namespace

void populate([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_POPULATE_WRITE
  advise(memory, bytes, MADV_POPULATE_WRITE);
#endif
}

void give_back(void* memory, std::size_t bytes) noexcept {
  advise(memory, bytes, MADV_DONTNEED);
}

}  // namespace kinescope::sim
