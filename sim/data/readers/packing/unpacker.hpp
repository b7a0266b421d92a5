// What unpacks one kind of packing, as a stream over another.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/readers/packing/byte_source.hpp"

namespace kinescope::sim {

class Unpacker : public ByteSource {
 public:
  Unpacker(std::string path, std::unique_ptr<ByteSource> packed)
      : path_(std::move(path)), packed_(std::move(packed)), buffer_(256 << 10) {}
  std::uint64_t size() const override { return packed_->size(); }
  std::uint64_t used() const override { return packed_->used() - at_hand(); }

 protected:
  // The packed bytes at hand; if there are none, more are read. False at the end.
  bool fill() {
    if (begin_ < end_) return true;
    begin_ = 0;
    end_ = packed_->read(buffer_.data(), buffer_.size());
    return end_ > 0;
  }
  const char* next() const { return buffer_.data() + begin_; }
  std::size_t at_hand() const { return end_ - begin_; }
  void take(std::size_t bytes) { begin_ += bytes; }

  Error damaged() const { return file_error(path_, "the compressed data are damaged"); }
  Error cut_off() const { return file_error(path_, "the compressed data are cut off"); }
  Error out_of_memory() const { return run_error(path_ + ": out of memory"); }

  const std::string path_;

 private:
  std::unique_ptr<ByteSource> packed_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;
};

// For Packing::unpack.
template <class Own>
std::unique_ptr<ByteSource> unpack_by(const std::string& path, std::unique_ptr<ByteSource> packed) {
  return std::make_unique<Own>(path, std::move(packed));
}

}  // namespace kinescope::sim
