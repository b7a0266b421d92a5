// The bytes of a file on the disk, of a pipe, or of standard input.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <sys/stat.h>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "sim/data/readers/packing/byte_source.hpp"

namespace kinescope::sim {

inline constexpr const char* standard_input = "-";
inline constexpr const char* standard_input_name = "standard input";  // in messages

// A regular file as it was when it was opened.
struct FileStamp {
  std::shared_ptr<const int> descriptor;  // open; null if it is none
  struct stat status {};
  std::string sample;  // bytes of some places in it

  // Throws Error (input), with the file's `name`, if it has become shorter or was written to since then, other than at
  // its end. A file that another one has replaced is still whole.
  void require_unchanged(const std::string& name) const;
};

class FileBytes final : public ByteSource {
 public:
  // "-" is standard input: the first use copies all of it into a temporary file without a name, from which every use
  // reads, so that a table can be read more than once. Throws Error (input) if the file does not exist, is a directory
  // or is not readable; Cancelled.
  explicit FileBytes(const std::string& path, LoadProgress* progress = nullptr);
  ~FileBytes() override;
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::uint64_t size() const override { return size_; }
  std::uint64_t used() const override { return used_; }
  // Waits until a pipe has bytes, its writer is gone, or the reading is cancelled (throws Cancelled). Throws Error
  // (input) if a named pipe has no writer, and gets none within five seconds, and if a file has become shorter.
  std::size_t read(char* into, std::size_t bytes) override;

  // A path at which the same bytes can be read in any order; "" for a pipe.
  const std::string& seekable_path() const { return seekable_path_; }
  // As it is now; reads up to 256 KiB of a file on the disk.
  FileStamp stamp() const;
  const std::string& path() const { return path_; }
  // Fills `to` with the bytes of a file on the disk from place `begin` on; from any thread. Throws Error (input) if
  // reading fails, or if the file ends before.
  void read_at(std::uint64_t begin, std::span<char> to) const;

 private:
  std::size_t read_first(char* into, std::size_t bytes);
  // Of a file on the disk; both read fewer bytes only at its end.
  std::size_t read_at(std::uint64_t begin, char* into, std::size_t bytes) const;
  std::size_t read_next(char* into, std::size_t bytes) const;

  std::string path_, seekable_path_;
  LoadProgress* progress_;
  int descriptor_ = -1;
  bool may_wait_ = false, is_pipe_ = false;  // a pipe or a terminal
  std::uint64_t size_ = 0, used_ = 0;
};

// The input error for a path at which there is nothing; it says what to do instead of giving an address.
Error no_such_file(const std::string& path);

}  // namespace kinescope::sim
