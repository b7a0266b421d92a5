#include <bzlib.h>

#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/packing/unpacker.hpp"

namespace kinescope::sim {
namespace {

// A sequence of streams, as parallel packers write them.
class Bunzip2 final : public Unpacker {
 public:
  using Unpacker::Unpacker;
  ~Bunzip2() override { BZ2_bzDecompressEnd(&stream_); }
  Bunzip2(const Bunzip2&) = delete;
  Bunzip2& operator=(const Bunzip2&) = delete;

  std::size_t read(char* into, std::size_t bytes) override {
    stream_.next_out = into;
    stream_.avail_out = static_cast<unsigned>(bytes);
    while (stream_.avail_out == bytes) {
      if (!fill()) {
        if (!within_stream_) return 0;
        throw cut_off();
      }
      if (!within_stream_) begin_stream();
      stream_.next_in = const_cast<char*>(next());
      stream_.avail_in = static_cast<unsigned>(at_hand());
      const int status = BZ2_bzDecompress(&stream_);
      take(at_hand() - stream_.avail_in);
      if (status == BZ_MEM_ERROR) throw out_of_memory();
      if (status != BZ_OK && status != BZ_STREAM_END) throw damaged();
      within_stream_ = status == BZ_OK;
    }
    return bytes - stream_.avail_out;
  }

 private:
  void begin_stream() {
    char* const out = stream_.next_out;
    const unsigned room = stream_.avail_out;
    BZ2_bzDecompressEnd(&stream_);
    stream_ = {};
    if (BZ2_bzDecompressInit(&stream_, 0, 0) != BZ_OK) throw out_of_memory();
    stream_.next_out = out;
    stream_.avail_out = room;
    within_stream_ = true;
  }

  bz_stream stream_{};
  bool within_stream_ = false;
};

}  // namespace

const Packing bzip2_packing = {
    .text = "packed by bzip2",
    .fits =
        [](std::string_view head) {
          return head.size() > 9 && head.starts_with("BZh") && head[3] >= '1' && head[3] <= '9' &&
                 (head.substr(4, 6) == "\x31\x41\x59\x26\x53\x59" || head.substr(4, 6) == "\x17\x72\x45\x38\x50\x90");
        },
    .unpack = unpack_by<Bunzip2>};

}  // namespace kinescope::sim
