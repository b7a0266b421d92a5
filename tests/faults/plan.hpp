// What the injector shares with the code inside the program that fails calls itself (preloaded.cpp, cuda.cpp): a
// file, mapped by all processes of a run.
#pragma once

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace kinescope::tests {

// The environment variable that names the file, for a kind of calls.
inline std::string plan_variable(std::string_view kind) {
  return "KINESCOPE_FAULTS_" + std::string(kind);
}
inline constexpr const char* crash_variable = "KINESCOPE_CRASH";  // names the file that gets the stack of a crash

// The program calls prctl() with this, which does nothing, when main() begins.
inline constexpr int main_marker = 0x6b696e65;

struct Plan {
  std::atomic<long> calls;  // made so far, by all processes
  long fails;               // the number of the call that fails, from 1; 0: none
};

// nullptr if no call is to be counted.
inline Plan* open_plan(std::string_view kind) {
  const char* path = std::getenv(plan_variable(kind).c_str());
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
