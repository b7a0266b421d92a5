// What the injector shares with the code inside the program that fails calls itself (allocations.cpp, cuda.cpp): a
// file, mapped by all processes of a run.
#pragma once

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kinescope::tests {

inline constexpr const char* plan_variable = "KINESCOPE_FAULTS";  // the environment variable that names the file
inline constexpr const char* crash_variable = "KINESCOPE_CRASH";  // names the file that gets the stack of a crash

// The program calls prctl() with this, which does nothing, when main() begins.
inline constexpr int main_marker = 0x6b696e65;

struct Plan {
  std::atomic<long> calls;  // made so far, by all processes
  long fails;               // the number of the call that fails, from 1; 0: none
};

// nullptr if no call is to be counted.
inline Plan* open_plan() {
  const char* path = std::getenv(plan_variable);
  const int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return nullptr;
  void* memory = mmap(nullptr, sizeof(Plan), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  return memory == MAP_FAILED ? nullptr : static_cast<Plan*>(memory);
}

// Counts a call; true if it is to fail.
inline bool fails_now(Plan* plan) {
  return plan && ++plan->calls == plan->fails;
}

}  // namespace kinescope::tests
