// A file being written.
#pragma once

#include <string>
#include <string_view>

#include "sim/core/error.hpp"

namespace kinescope::sim {

// "PATH: cannot be written: …" for an errno. A full disk or a failing device is the run's fault; a name that cannot be
// written is the user's.
Error cannot_write(const std::string& path, int code);

// Buffered; close() at the latest reports every failure. `shown_path` is the name in messages.
class OutputFile {
 public:
  // Throws Error.
  OutputFile(const std::string& path, const std::string& shown_path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void append(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > capacity) flush();
    buffer_ += bytes;
  }
  void close();

 private:
  static constexpr std::size_t capacity = 1 << 20;

  void flush();

  std::string shown_path_;
  int descriptor_;
  std::string buffer_;
};

}  // namespace kinescope::sim
