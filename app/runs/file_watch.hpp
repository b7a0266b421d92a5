// Watches the file of the open data for changes.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "app/runs/file_stamp.hpp"
#include "app/runs/job_queue.hpp"

namespace kinescope::app {

class FileWatch {
 public:
  // A person has opened the file as it is in `stamp`.
  void know(const std::optional<FileStamp>& stamp) { told_ = stamp; }
  // Call once a frame; while it `looks`, looks at the file about once a second, in the background. True if the file has
  // changed since it was `read` (none: it is no file) and a person is to be told now, which is to happen once a change.
  // While it does not `tell`, that waits. A file that is still being written has not changed yet: two looks in a row
  // must find the same stamp.
  bool frame(const std::string& path, const std::optional<FileStamp>& read, bool looks, bool tells);

 private:
  struct Look {
    std::string path;
    std::optional<FileStamp> stamp;
  };
  std::chrono::steady_clock::time_point looked_{};
  std::optional<FileStamp> seen_, told_;  // at the last look; when a person last opened it or was told of it
  std::optional<Look> latest_;
  JobQueue jobs_;
};

}  // namespace kinescope::app
