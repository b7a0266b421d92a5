// Other programs that this one may use.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace kinescope::app {

// Whether $PATH leads to a program of this name.
bool is_installed(const std::string& program);

// What a program is given: file descriptors that it reads and writes, -1 for /dev/null; and flags of posix_spawn, with
// an empty mask of signals where they set one.
struct ProgramSetup {
  int in = -1, out = -1, errors = -1;
  short flags = 0;
};
// Starts it, by its path or as $PATH finds it; the first word is its name. Returns 0, or the system's error.
int start_program(const char* program, std::vector<std::string> words, const ProgramSetup& setup, pid_t& process);

}  // namespace kinescope::app
