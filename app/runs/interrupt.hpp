// Ctrl-C, a polite kill or the end of the terminal as a wish to stop: the first one sets a flag, the second one ends
// the program.
#pragma once

#include <stdexcept>

namespace kinescope::app {

// Thrown where an interrupt ends a command: exit status 130. One line, as of sim::Error.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void catch_interrupt();

// Past the limit of `ulimit -f` writing then fails with an error, as on a full disk, instead of ending the program.
void refuse_large_files_by_error();

bool interrupted();

}  // namespace kinescope::app
