// A file being written. It gets its name once it is whole, so that no half-written file is ever seen.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>

#include "kinescope/error.hpp"

namespace kinescope::sim {

// A folder that is held open while files are written into it. Whatever its name leads to later, and whoever puts
// something in its place: the files go into this folder.
class HeldFolder {
 public:
  // Throws Error (input), about `shown`, if `path` is no folder that can be opened.
  HeldFolder(const std::string& path, const std::string& shown);
  ~HeldFolder();
  HeldFolder(const HeldFolder&) = delete;
  HeldFolder& operator=(const HeldFolder&) = delete;

  int descriptor() const { return folder_; }
  std::string path_of(const std::string& name) const;  // for messages
  // Writes a file that is seen once it is whole. Throws Error, also if there is one of that name already, which stays.
  void write_new(const std::string& name, std::string_view bytes) const;
  // Removes the folder if it is empty and still has its name.
  void remove_if_empty() const;

 private:
  std::string path_;
  int folder_;
};

// "PATH: cannot be written: …" for an errno. A full disk or a failing device is the run's fault; a name that cannot be
// written is the user's.
Error cannot_write(const std::string& path, int code);

// Whether files can be made in this folder, or this file be written.
bool may_write(const std::string& path);

// What an OutputFile may replace: whatever has its name when it is kept, what had it before the run, or nothing.
enum class Replaces { anything, what_was_there, nothing };

// A name in a folder that is held open: whatever is put in the place of either is neither followed nor replaced.
struct OutputPlace {
  std::string shown;  // in messages
  std::shared_ptr<const HeldFolder> folder;
  std::string name;
  Replaces replaces = Replaces::anything;
  std::optional<struct statx> before = std::nullopt;  // of the file that had the name
};

// Makes sure that `path` can be written, and remembers its place: from then on an OutputFile of this path writes there.
// Leaves no file. Throws Error (input), one line.
void hold_output(const std::string& path);

// Buffered. Written under another name in the same folder.
class OutputFile {
 public:
  // Throws Error (input), one line, if `path` cannot be written.
  explicit OutputFile(const std::string& path);
  explicit OutputFile(std::shared_ptr<OutputPlace> place);
  ~OutputFile();  // removes it if it was not kept
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  void append(std::string_view bytes) {
    if (buffer_.size() + bytes.size() > capacity) flush();
    buffer_ += bytes;
  }
  // For reading and writing without the buffer.
  int descriptor() const { return descriptor_; }
  // Flushes it to the disk, then gives it its name. Throws Error; also if the name has come to be that of another file,
  // which stays. What was to be in a place that was held is then left beside it.
  void keep();

 private:
  static constexpr std::size_t capacity = 1 << 20;

  friend void drop_staged_files();
  friend void hold_output(const std::string& path);
  void drop() const noexcept;
  void flush();
  void keep_copy();

  std::shared_ptr<OutputPlace> place_;
  std::string temporary_;  // its name until it is kept, then ""
  int folder_, descriptor_ = -1;
  struct statx own_ {};
  std::size_t listed_ = 0;  // where, for drop_staged_files()
  std::string buffer_;
};

// Removes all files that were not kept yet. A handler of the signal that ends the program may call it.
void drop_staged_files();

}  // namespace kinescope::sim
