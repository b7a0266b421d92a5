#include <lzma.h>

#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/packing/unpacker.hpp"

namespace kinescope::sim {
namespace {

class Unxz final : public Unpacker {
 public:
  Unxz(const std::string& path, std::unique_ptr<ByteSource> packed) : Unpacker(path, std::move(packed)) {
    constexpr std::uint64_t most_memory = std::uint64_t{512} << 20;
    if (lzma_stream_decoder(&stream_, most_memory, LZMA_CONCATENATED) != LZMA_OK) throw out_of_memory();
  }
  ~Unxz() override { lzma_end(&stream_); }
  Unxz(const Unxz&) = delete;
  Unxz& operator=(const Unxz&) = delete;

  std::size_t read(char* into, std::size_t bytes) override {
    stream_.next_out = reinterpret_cast<std::uint8_t*>(into);
    stream_.avail_out = bytes;
    while (stream_.avail_out == bytes && !ended_) {
      const bool more = fill();
      stream_.next_in = reinterpret_cast<const std::uint8_t*>(next());
      stream_.avail_in = at_hand();
      const lzma_ret status = lzma_code(&stream_, more ? LZMA_RUN : LZMA_FINISH);
      take(at_hand() - stream_.avail_in);
      ended_ = status == LZMA_STREAM_END;
      if (status == LZMA_MEM_ERROR) throw out_of_memory();
      if (status == LZMA_MEMLIMIT_ERROR)
        throw file_error(path_, "compressed such that unpacking it needs more than 512 MiB: unpack it first");
      if (status == LZMA_BUF_ERROR && !more) throw cut_off();
      if (status != LZMA_OK && status != LZMA_BUF_ERROR && !ended_) throw damaged();
    }
    return bytes - stream_.avail_out;
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  bool ended_ = false;
};

}  // namespace

const Packing xz_packing = {.text = "packed by xz",
                            .fits =
                                [](std::string_view head) {
                                  return head.starts_with(
                                      "\xFD"
                                      "7zXZ");
                                },
                            .unpack = unpack_by<Unxz>};

}  // namespace kinescope::sim
