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
// nothing to keep, such as reading data.
HearsInterrupt ends_at_interrupt(const std::string& message);
// The same with `last`, which keeps what is to be kept and returns the message. It may not throw.
HearsInterrupt ends_at_interrupt(std::function<std::string()> last);
// Does work that has nothing to keep. An interrupt ends the program soon, or when the work has ended: then it throws
// Interrupted.
template <class F>
auto unless_interrupted(const std::string& message, F work) {
  const HearsInterrupt hears = ends_at_interrupt(message);
  auto result = work();
  if (interrupted()) throw Interrupted(message);
  return result;
}
inline constexpr const char* interrupted_opening = "interrupted while opening";
// The figures of a report may take longer than the run. If an interrupt `ended` the run, the report so far is written,
// and a second interrupt does not wait for it. Else the first ends the program with the line that `last` returns: all
// else is written before, and a report that was there stays.
HearsInterrupt hears_during_report(bool ended, std::function<std::string()> last);
inline constexpr const char* without_report = "; the report is not written: its figures were not computed yet";
// On a terminal, says what ends first because its result is kept.
HearsInterrupt answers_interrupt(const std::string& first = "this step ends first");

// While what it returns lives, `first`, which may not throw, is called before an interrupt ends the program at once: a
// second one, which does not wait for what is to be kept, or while ends_at_interrupt() says that there is nothing. A
// third does not wait for `first`.
std::shared_ptr<void> before_abrupt_end(std::function<void(bool is_second)> first);
// Calls what before_abrupt_end() was given, for whatever else ends the program at once: as after a second interrupt, or
// as after a first.
void prepare_abrupt_end(bool is_second = true);

}  // namespace kinescope::app
