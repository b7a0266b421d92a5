// Treats Ctrl-C, SIGTERM and the end of the terminal as a wish to stop: the first signal sets a flag, the second ends
// the program.
#pragma once

#include <stdexcept>
#include <string>
#include <thread>

namespace kinescope::app {

// Thrown where an interrupt ends a command (exit status 130); its message is one line, like sim::Error's.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

void catch_interrupt();
bool interrupted();

// While one lives, an interrupt ends the program within 0.2 s even if the work does not hear it: what is in memory is
// dropped, and `message`, a printable line, is the error. Only for work that has nothing to keep, such as reading data.
class EndsAtInterrupt {
 public:
  explicit EndsAtInterrupt(std::string message);

 private:
  std::jthread thread_;
};

}  // namespace kinescope::app
