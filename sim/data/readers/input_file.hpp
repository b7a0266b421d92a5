// A file as a stream of bytes, unpacked if it is packed (as its first bytes tell, whatever its name).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/load.hpp"
#include "kinescope/error.hpp"
#include "sim/data/readers/packing/byte_source.hpp"
#include "sim/data/readers/packing/file_bytes.hpp"

namespace kinescope::sim {

// Names of what is inside a file: "data.npz:images", "cells.h5ad.gz:/obsm/X_pca", "tables.zip:a.csv".
struct Inside {
  std::string file;
  std::string name;         // of a part, such as an array; "" for the file as a whole
  std::string member = "";  // of a file in an archive (.zip), in which the part is; "" for its only one
};

// Splits at the colon after an ending of an archive, and after one of a file that holds several arrays (packed or not),
// else after the name of a file that exists; not if there is a file of the whole name.
Inside split_inside(const std::string& source);

class TemporaryFile;

// The error for a file of `has` bytes of which the first `bytes` hold all that its header states, which `what` names.
Error too_long(const std::string& path, const std::string& what, std::uint64_t bytes, std::uint64_t has);

// The error for a part of a file that is asked for and not there, or, if none is, for one that must be chosen: `list`
// has them all, and `example` is one. `what` is what a part is called: "array".
Error no_such_part(const std::string& path, const std::string& what, const std::string& asked, const std::string& list,
                   const std::string& example);

class InputFile {
 public:
  // The file at `path`, or standard input if that is "-". It may be packed by gzip, zstd, xz or bzip2, be the only file
  // of a ZIP archive or the one that `member` names, text in UTF-16, or text whose lines end with CR alone; of these at
  // most three, one in the other. Throws Error (input) if the file does not exist, is a directory, is not readable, is
  // empty, or is an archive of several files, which it then names.
  explicit InputFile(const std::string& path, LoadProgress* progress = nullptr, const std::string& member = "");
  // Reads from `source`, which errors call `name`, as it is. `size` in bytes; 0 if it is not known.
  InputFile(const std::string& name, std::unique_ptr<ByteSource> source, std::uint64_t size,
            LoadProgress* progress = nullptr);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // For messages, and for the ending: "a.zip:b.csv" for the file in an archive.
  const std::string& path() const { return path_; }
  // Whether the bytes are not those of the file on the disk.
  bool packed() const { return !packings_.empty(); }
  // Whether it is a file on the disk, not packed: then plain_size() is its size.
  bool is_regular() const { return !packed() && stamp_.descriptor != nullptr; }
  // How it is packed, as an addition to the format's name: ", gzipped"; "" if it is not.
  const std::string& packings() const { return packings_; }
  // Whether `member` named the file in an archive that has been opened.
  bool took_member() const { return took_member_; }

  // A path at which the unpacked bytes can be read in any order, for libraries that open files themselves: the file's
  // own if it is a regular one and not packed, else that of a temporary file without a name, which lasts as long as
  // this object. Call it before read(). Throws what read() throws, and Error (run) if the disk is full.
  std::string seekable_path();
  // The size in bytes of a plain file; 0 if it is not known beforehand (packed, a pipe).
  std::uint64_t plain_size() const { return packed() ? 0 : size_; }

  // How much of the file has been read, 0 … 1; 0 if that is not known (a pipe).
  double part_read() const;

  // How many bytes read() has given, unpacked.
  std::uint64_t bytes_read() const { return bytes_read_; }

  // The first bytes, at most 256 KiB, without consuming them.
  std::string_view head() const { return {head_.data(), head_.size()}; }
  // Whether these are all.
  bool head_is_all() const { return head_is_all_; }

  // How long a buffer for up to `bytes` bytes has to be: shorter where the file is short, but always longer than what
  // is left of it, so that reading fewer bytes still tells the end.
  std::size_t buffer_for(std::size_t bytes) const {
    const std::size_t left = head_.size() - head_taken_;
    return head_is_all_ && left > 0 ? std::min(bytes, left + 1) : bytes;
  }

  // Reads up to `bytes` bytes; fewer only at the end of the file, 0 after it. Throws Error (input) if reading fails or
  // the compressed data are damaged or cut off; Cancelled. Updates the progress.
  std::size_t read(char* into, std::size_t bytes);
  // The same, but throws Error (input) if the file ends before; `what` names the part: "its data". On all threads.
  void read_exactly(char* into, std::size_t bytes, const char* what);
  // Reads what is left, and returns how many bytes that was; 0 if it is nothing but zeros and ends of lines, with which
  // some programs fill up their files.
  std::uint64_t read_rest();
  // Throws Error (input) if any byte is left: the file then has more than `what` ("the 3 × 4 values …").
  void expect_end(const std::string& what);

  // Throws Error (input) if somebody else has changed the file meanwhile (FileStamp::require_unchanged).
  void require_unchanged() const { stamp_.require_unchanged(path_); }

 private:
  std::size_t read(char* into, std::size_t bytes, std::size_t step);
  void read_head();
  bool unpack_zip(const std::string& member);
  void spool();
  std::size_t read_source(char* into, std::size_t bytes);
  void check_packing(std::size_t more);
  void tell_progress();

  std::string path_, packings_;
  LoadProgress* progress_;
  std::string seekable_path_;  // of the bytes of source_; "" if there is none
  std::unique_ptr<TemporaryFile> temporary_;
  std::unique_ptr<ByteSource> source_;
  FileStamp stamp_;
  std::uint64_t size_ = 0, bytes_read_ = 0, unpacked_ = 0;
  std::vector<char> head_;
  std::size_t head_taken_ = 0;
  bool head_is_all_ = false, took_member_ = false;
};

}  // namespace kinescope::sim
