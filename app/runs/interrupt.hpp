// Treats Ctrl-C, SIGTERM and the end of the terminal as a wish to stop: the first signal sets a flag, the second ends
// the program, whose unfinished files go.
#pragma once

#include <functional>
#include <memory>
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

// While one lives, `hear` is called once, on a thread of its own, if an interrupt came and the work has not ended
// within 0.14 s.
class HearsInterrupt {
 public:
  explicit HearsInterrupt(std::function<void()> hear);

 private:
  std::jthread thread_;
};

// Ends the program: what is in memory is dropped, and `message`, a printable line, is the error. Only for work that has
// nothing to keep, such as reading data. `before`, which may not throw, is called first.
HearsInterrupt ends_at_interrupt(const std::string& message, std::function<void()> before = {});
inline constexpr const char* interrupted_opening = "interrupted while opening";
// On a terminal, says what ends first because its result is kept.
HearsInterrupt answers_interrupt(const std::string& first = "this step ends first");

// While it lives, a second interrupt calls `end`, which may not throw, on a thread of its own before it ends the
// program; a third does not wait for that.
std::shared_ptr<void> before_second_interrupt(std::function<void()> end);

}  // namespace kinescope::app
