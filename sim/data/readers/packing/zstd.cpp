#include <zstd.h>
#include <zstd_errors.h>

#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/packing/unpacker.hpp"

namespace kinescope::sim {
namespace {

// A sequence of frames; those to be skipped hold no data.
class Unzstd final : public Unpacker {
 public:
  Unzstd(const std::string& path, std::unique_ptr<ByteSource> packed) : Unpacker(path, std::move(packed)) {
    if (!stream_) throw out_of_memory();
  }

  std::size_t read(char* into, std::size_t bytes) override {
    ZSTD_outBuffer out{into, bytes, 0};
    while (out.pos == 0) {
      // What is at its end may still wait in the library, so it is called without bytes too.
      const bool more = fill();
      ZSTD_inBuffer in{next(), at_hand(), 0};
      if (!more && within_frame_ == 0) return 0;
      within_frame_ = ZSTD_decompressStream(stream_.get(), &out, &in);
      take(in.pos);
      if (ZSTD_isError(within_frame_)) throw failure(ZSTD_getErrorCode(within_frame_));
      if (!more && out.pos == 0 && within_frame_ > 0) throw cut_off();
    }
    return out.pos;
  }

 private:
  Error failure(ZSTD_ErrorCode code) const {
    if (code == ZSTD_error_memory_allocation) return out_of_memory();
    if (code == ZSTD_error_frameParameter_windowTooLarge)
      return file_error(path_, "compressed with a window of more than 128 MiB (zstd --long): unpack it first");
    return damaged();
  }

  std::unique_ptr<ZSTD_DStream, decltype(&ZSTD_freeDStream)> stream_{ZSTD_createDStream(), &ZSTD_freeDStream};
  std::size_t within_frame_ = 0;  // 0 between frames
};

}  // namespace

const Packing zstd_packing = {.text = "packed by zstd",
                              .fits =
                                  [](std::string_view head) {
                                    const bool skippable = head.size() > 8 && (head[0] & 0xF0) == 0x50 &&
                                                           head.substr(1, 3) == "\x2A\x4D\x18";
                                    return head.starts_with("\x28\xB5\x2F\xFD") || skippable;
                                  },
                              .unpack = unpack_by<Unzstd>};

}  // namespace kinescope::sim
