// Text in UTF-16, as spreadsheets write it, read as UTF-8.
#pragma once

#include <string>

#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// Reads `file`, which must outlive it, from its byte order mark on. Half a surrogate pair becomes U+FFFD.
class Utf16Source : public ByteSource {
 public:
  explicit Utf16Source(InputFile& file);
  std::uint64_t size() const override { return 0; }  // not known beforehand
  std::size_t read(char* into, std::size_t bytes) override;

 private:
  void decode();

  InputFile& file_;
  bool big_endian_ = false;
  std::string units_;     // bytes that are not decoded yet
  std::string text_;      // UTF-8 that is not handed out yet, from taken_ on
  std::size_t taken_ = 0;
};

}  // namespace kinescope::sim
