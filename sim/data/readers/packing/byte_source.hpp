// A stream of bytes: a file, what is packed in one, or a file inside another.
#pragma once

#include <cstddef>
#include <cstdint>

namespace kinescope::sim {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // The bytes that the stream is made from, in all: of the file on the disk; 0 if that is not known (a pipe).
  virtual std::uint64_t size() const = 0;
  // How many of these have been used.
  virtual std::uint64_t used() const = 0;
  // Reads up to `bytes` bytes; may return fewer at any time, 0 only at the end. Throws Error (input).
  virtual std::size_t read(char* into, std::size_t bytes) = 0;
};

}  // namespace kinescope::sim
