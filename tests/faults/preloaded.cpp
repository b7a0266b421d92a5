// Loaded before the other libraries of the program that inject.cpp starts: fails memory allocations, tells the injector
// that main() begins, and where the program crashed.
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <dlfcn.h>
#include <execinfo.h>
#include <sys/prctl.h>

#include "tests/faults/plan.hpp"

extern "C" {
// The allocator of glibc, by its other names.
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t count, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);
}

namespace {

kinescope::tests::Plan* plan = nullptr;

int crash_report = -1;

void tell_crash(int sign) {
  void* frames[64];
  backtrace_symbols_fd(frames, backtrace(frames, 64), crash_report);
  std::signal(sign, SIG_DFL);
  raise(sign);
}

using Main = int (*)(int, char**, char**);
Main program_main = nullptr;

int counted_main(int count, char** arguments, char** environment) {
  void* frame = nullptr;
  backtrace(&frame, 1);  // the first call loads a library
  if (const char* path = std::getenv(kinescope::tests::crash_variable))
    crash_report = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  for (const int sign : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL})
    if (crash_report >= 0) std::signal(sign, tell_crash);
  prctl(kinescope::tests::main_marker, 0, 0, 0, 0);
  plan = kinescope::tests::open_plan("allocation");
  return program_main(count, arguments, environment);
}

// A debugger stops here to see who asked for the memory that there is not.
__attribute__((noinline)) void* injected() {
  errno = ENOMEM;
  return nullptr;
}

}  // namespace

extern "C" {

// Called by the program's first instructions.
int __libc_start_main(Main main, int count, char** arguments, void (*begin)(), void (*end)(), void (*loader_end)(),
                      void* stack) {
  program_main = main;
  const auto start = reinterpret_cast<decltype(&__libc_start_main)>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return start(counted_main, count, arguments, begin, end, loader_end, stack);
}

void* malloc(std::size_t bytes) {
  return fails_now(plan) ? injected() : __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  return fails_now(plan) ? injected() : __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  return fails_now(plan) ? injected() : __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  return fails_now(plan) ? injected() : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return memalign(alignment, bytes);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t bytes) {
  void* taken = memalign(alignment, bytes);
  if (!taken) return ENOMEM;
  *memory = taken;
  return 0;
}
}
