// Other programs that this one may use.
#pragma once

#include <string>
#include <sys/types.h>
#include <vector>

namespace kinescope::app {

// Whether $PATH leads to a program of this name.
bool is_installed(const std::string& program);

// How a program is started: the file descriptors that become its stdin, stdout and stderr, -1 for /dev/null; and flags
// of posix_spawn. If the flags set a signal mask, it is empty.
struct ProgramSetup {
  int in = -1, out = -1, errors = -1;
  short flags = 0;
};
// Starts `program`, a path or a name that is looked up in $PATH. The first of `words` is the program's name, the others
// are its arguments. Returns 0, or the system's error number.
int start_program(const char* program, std::vector<std::string> words, const ProgramSetup& setup, pid_t& process);

}  // namespace kinescope::app
