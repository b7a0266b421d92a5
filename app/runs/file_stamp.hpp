// Tells whether a file has changed since it was read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace kinescope::app {

struct FileStamp {
  std::int64_t time_ns = 0;  // of the last change
  std::uintmax_t bytes = 0;
  bool operator==(const FileStamp&) const = default;
};

// None if there is no such regular file, or if the system does not tell its time and size.
std::optional<FileStamp> file_stamp(const std::string& path);

}  // namespace kinescope::app
