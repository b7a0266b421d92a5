// Standard output and standard error. That one of them is closed, full or without a reader never ends what the program
// is doing: print() and tell() do not throw, and keep no error but standard output's.
#pragma once

#include <fmt/core.h>
#include <string_view>
#include <utility>

namespace kinescope::app {

// To be called first: opens descriptors 0 to 2 where they are closed, so that no file that is opened later gets one of
// them and receives messages. They can still not be read or written. SIGPIPE and SIGXFSZ become errors of writing, and
// children can be waited for.
void settle_streams();

void print_text(std::string_view text);  // to standard output
void tell_text(std::string_view text);   // to standard error
void tell_lines(std::string_view text);  // the same, without control characters, which a name or a server may send

// What the command was asked for, to standard output.
template <class... Values>
void print(fmt::format_string<Values...> format, Values&&... values) {
  print_text(fmt::format(format, std::forward<Values>(values)...));
}

// What is told on the way, to standard error.
template <class... Values>
void tell(fmt::format_string<Values...> format, Values&&... values) {
  tell_lines(fmt::format(format, std::forward<Values>(values)...));
}

// Standard error, if it is a terminal: the characters of a line there; 80 if it does not say.
bool is_terminal();
int terminal_columns();
// To standard error, past what is buffered; also where nothing may be allocated.
void tell_at_once(std::string_view text) noexcept;

// Passes on what was printed. Returns 0, or the error number of the first text that standard output did not take.
int flush_output();

}  // namespace kinescope::app
