#include "app/io/streams.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <fcntl.h>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

#include "app/io/output.hpp"

namespace kinescope::app {
namespace {

std::atomic<int> output_error = 0;

void note(bool taken) {
  int none = 0;
  if (!taken) output_error.compare_exchange_strong(none, errno);
}

}  // namespace

void settle_streams() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);  // ignored by whoever started the program, it would leave no exit status to wait for
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (fcntl(descriptor, F_GETFD) < 0)  // open() takes the lowest number that is free
      static_cast<void>(open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY));
}

void print_text(std::string_view text) {
  note(std::fwrite(text.data(), 1, text.size(), stdout) == text.size());
}

void tell_text(std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

void tell_lines(std::string_view text) {
  std::string lines;
  for (std::size_t end = 0; !text.empty(); text.remove_prefix(end)) {
    end = std::min(text.find('\n'), text.size());
    lines += printable(text.substr(0, end), std::string_view::npos);
    if (end == text.size()) break;
    lines += text[end++];
  }
  tell_text(lines);
}

bool is_terminal() {
  return isatty(STDERR_FILENO) != 0;
}

int terminal_columns() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

void tell_at_once(std::string_view text) noexcept {
  static_cast<void>(!write(STDERR_FILENO, text.data(), text.size()));
}

int flush_output() {
  note(std::fflush(stdout) == 0);
  return output_error;
}

}  // namespace kinescope::app
