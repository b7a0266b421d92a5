#include "sim/data/readers/packing/unpacker.hpp"

#include <utility>

namespace kinescope::sim {

Unpacker::Unpacker(std::string path, std::unique_ptr<ByteSource> packed)
    : path_(std::move(path)), packed_(std::move(packed)), buffer_(256 << 10) {}

bool Unpacker::fill() {
  if (begin_ < end_) return true;
  begin_ = 0;
  end_ = packed_->read(buffer_.data(), buffer_.size());
  return end_ > 0;
}

}  // namespace kinescope::sim
