// A file that is read at any place, from any thread.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace kinescope::sim {

class RandomAccessFile {
 public:
  explicit RandomAccessFile(std::string path);  // throws Error (input) if it cannot be opened
  ~RandomAccessFile();
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  const std::string& path() const { return path_; }
  // Fills `to` with the bytes from place `begin` on. Throws Error (input) if reading fails, or if the file ends before.
  void read(std::uint64_t begin, std::span<char> to) const;

 private:
  const std::string path_;
  int descriptor_ = -1;
};

}  // namespace kinescope::sim
