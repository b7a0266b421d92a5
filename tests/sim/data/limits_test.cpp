// How much memory a reader may still take.
#include "sim/data/limits.hpp"

#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sim/core/error.hpp"

namespace kinescope::sim::limits_test {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

std::size_t address_space_in_use() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(sysconf(_SC_PAGE_SIZE));
}

// The process's own limit counts what the process already holds, here 1 GiB of addresses.
TEST(Limits, MemoryInUseIsNotFree) {
  void* const held = mmap(nullptr, 1024 * mebibyte, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(held, MAP_FAILED);
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  const rlimit lowered{address_space_in_use() + 256 * mebibyte, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_AS, &lowered), 0);
  EXPECT_NO_THROW(require_memory("t.csv", 100.0 * mebibyte));
  EXPECT_THROW(require_memory("t.csv", 512.0 * mebibyte), Error);
  setrlimit(RLIMIT_AS, &before);
  munmap(held, 1024 * mebibyte);
}

}  // namespace
}  // namespace kinescope::sim::limits_test
