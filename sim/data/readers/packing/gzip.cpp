#include <zlib.h>

#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/packing/unpacker.hpp"

namespace kinescope::sim {
namespace {

// A gzip file is a sequence of members, each a stream of its own.
class Gunzip final : public Unpacker {
 public:
  Gunzip(const std::string& path, std::unique_ptr<ByteSource> packed) : Unpacker(path, std::move(packed)) {
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw out_of_memory();
  }
  ~Gunzip() override { inflateEnd(&stream_); }
  Gunzip(const Gunzip&) = delete;
  Gunzip& operator=(const Gunzip&) = delete;

  std::size_t read(char* into, std::size_t bytes) override {
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = static_cast<uInt>(bytes);
    while (stream_.avail_out == bytes) {
      if (!fill()) {
        if (between_members_) return 0;
        throw cut_off();
      }
      if (between_members_) {
        // Zeros after the last member are padding (tapes, block devices); gzip itself accepts them.
        while (at_hand() > 0 && *next() == 0) take(1);
        if (at_hand() == 0) continue;
        inflateReset(&stream_);
        between_members_ = false;
      }
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(next()));
      stream_.avail_in = static_cast<uInt>(at_hand());
      const int status = inflate(&stream_, Z_NO_FLUSH);
      take(at_hand() - stream_.avail_in);
      if (status == Z_MEM_ERROR) throw out_of_memory();
      if (status != Z_OK && status != Z_BUF_ERROR && status != Z_STREAM_END) throw damaged();
      between_members_ = status == Z_STREAM_END;
    }
    return bytes - stream_.avail_out;
  }

 private:
  z_stream stream_{};
  bool between_members_ = false;  // a member has ended and the next has not begun
};

}  // namespace

const Packing gzip_packing = {.text = "gzipped",
                              .fits = [](std::string_view head) { return head.starts_with("\x1F\x8B"); },
                              .unpack = unpack_by<Gunzip>};

}  // namespace kinescope::sim
