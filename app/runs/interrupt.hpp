// Treats Ctrl-C, SIGTERM and the end of the terminal as a wish to stop: the first signal sets a flag, the second ends
// the program.
#pragma once

#include <stdexcept>

namespace kinescope::app {

// Thrown where an interrupt ends a command (exit status 130); its message is one line, like sim::Error's.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void catch_interrupt();
bool interrupted();

}  // namespace kinescope::app
