// Runs the program as its users do: starts it with arguments, and looks at its exit status, its two streams and its
// files.
#pragma once

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/places.hpp"

namespace kinescope::tests {

struct Outcome {
  int status = -1;             // the exit status; 128 + the signal that ended it; 124 if it ran past the limit
  std::string out, errors;     // what it wrote to its streams
  std::size_t most_bytes = 0;  // the most memory that it had at a time
};

// Instead of the name of a file: the stream is closed, or a pipe that nobody reads any more.
inline const std::string closed = "<closed>", without_reader = "<without reader>";

struct Start {
  std::filesystem::path folder;               // the working folder; empty: this process's
  double interrupt_after_seconds = 0;         // sends `signal` then; 0: never
  std::size_t address_space_bytes = 0;        // a limit as set by `ulimit -v`; 0: none
  std::string out = "", input = "/dev/null";  // a file for stdout ("": captured), one for stdin
  std::string errors = "";                    // a file for stderr ("": captured)
  double limit_seconds = 120;
  int signal = SIGINT;
  std::size_t file_size_bytes = 0;                  // a limit as set by `ulimit -f`; 0: none
  std::string interrupt_after = "";                 // sends `signal` once stdout contains this; "": never
  std::filesystem::path interrupt_after_file = "";  // sends `signal` once there is such a file; "": never
};

// Starts the program (program_path()) and waits for it.
Outcome run_program(const std::vector<std::string>& arguments, const Start& start = {});

// A new temporary folder, removed at the end with all that is in it.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::string write(const std::string& name, const std::string& content) const;  // returns the path
  std::vector<std::string> names() const;                                        // what is in it, sorted

 private:
  std::filesystem::path path_;
};

std::string read_file(const std::filesystem::path& path);
std::vector<std::string> lines_of(const std::string& text);
// "" if `errors` is exactly one line "kinescope: error: ..." and `out` empty, else what is wrong with it.
std::string flaw_of_error(const Outcome& outcome, int status);

}  // namespace kinescope::tests
