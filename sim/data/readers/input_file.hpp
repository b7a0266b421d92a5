// A file as a stream of bytes, unpacked if it is gzipped (as its first bytes tell, whatever its name).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>
#include <zlib.h>

#include "sim/core/error.hpp"
#include "sim/data/load.hpp"

namespace kinescope::sim {

// Bytes that are a file inside another file.
class ByteSource {
 public:
  virtual ~ByteSource() = default;
  virtual std::uint64_t size() const = 0;
  // As InputFile::read, but may return fewer bytes at any time; 0 at the end.
  virtual std::size_t read(char* into, std::size_t bytes) = 0;
};

// The input error for a path at which there is nothing; it says what to do instead of giving an address, or "-".
Error no_such_file(const std::string& path);

class InputFile {
 public:
  // Reads from `source`, which errors call `name`.
  InputFile(const std::string& name, std::unique_ptr<ByteSource> source, LoadProgress* progress = nullptr);
  // Throws Error (input) if the file does not exist, is a directory, is not readable, or is empty.
  explicit InputFile(const std::string& path, LoadProgress* progress = nullptr);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& path() const { return path_; }
  bool gzipped() const { return gzipped_; }
  // The size in bytes of a plain file; 0 if it is not known beforehand (gzipped, a pipe).
  std::uint64_t plain_size() const { return gzipped_ ? 0 : packed_size_; }

  // How much of the file has been read, 0 … 1; 0 if that is not known (a pipe).
  double part_read() const;

  // The first bytes, at most 256 KiB, without consuming them.
  std::string_view head() const { return {head_.data(), head_.size()}; }
  // Whether these are all.
  bool head_is_all() const { return head_is_all_; }

  // Reads up to `bytes` bytes; fewer only at the end of the file, 0 after it. Throws Error (input) if reading fails or
  // the compressed data are damaged or cut off; Cancelled. Updates the progress.
  std::size_t read(char* into, std::size_t bytes);
  // The same, but throws Error (input) if the file ends before; `what` names the part: "its data".
  void read_exactly(char* into, std::size_t bytes, const char* what);

 private:
  void read_head();
  void wait_for_bytes() const;
  std::size_t read_packed(char* into, std::size_t bytes);
  std::size_t unpack(char* into, std::size_t bytes);
  void tell_progress();

  std::string path_;
  LoadProgress* progress_;
  std::unique_ptr<ByteSource> source_;  // null if the file is read through descriptor_
  int descriptor_ = -1;
  bool may_wait_ = false;  // a pipe or a terminal
  std::uint64_t packed_size_ = 0, packed_read_ = 0;
  std::vector<char> head_;
  std::size_t head_taken_ = 0;
  bool head_is_all_ = false;

  bool gzipped_ = false;
  z_stream stream_{};
  std::vector<char> packed_;
  bool between_members_ = false;  // a gzip member has ended and the next has not begun
};

}  // namespace kinescope::sim
