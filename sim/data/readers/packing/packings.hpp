// The ways in which files are packed, each recognized by its first bytes, whatever the file's name.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sim/data/readers/packing/byte_source.hpp"

namespace kinescope::sim {

struct Packing {
  std::string_view text;  // in words, after the name of the format: "gzipped"
  bool (*fits)(std::string_view head) = nullptr;
  std::unique_ptr<ByteSource> (*unpack)(const std::string& path, std::unique_ptr<ByteSource> packed) = nullptr;
};

// Streams over gzip (RFC 1952), Zstandard (RFC 8878), xz and bzip2; files of several members are read whole. Text in
// UTF-16 becomes UTF-8, and CR alone, with which Mac OS ended lines until 2001, becomes LF. What is damaged or cut off
// is an Error (input) of one line, at the place where it is met.
extern const Packing gzip_packing, zstd_packing, xz_packing, bzip2_packing, utf16_packing, carriage_returns;

// The packing that these first bytes have; null if they are not packed.
const Packing* packing_of(std::string_view head);

// The name without endings that only tell how the file is packed: "a.CSV" for "a.CSV.GZ".
std::string_view without_packing(std::string_view name);

}  // namespace kinescope::sim
