// PNG, read and written by libspng.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <spng.h>

#include "kinescope/data/write.hpp"
#include "sim/data/readers/pictures/picture.hpp"
#include "sim/data/readers/pictures/picture_file.hpp"

namespace kinescope::sim {
namespace {

using Spng = std::unique_ptr<spng_ctx, decltype(&spng_ctx_free)>;

Spng new_spng(const std::string& path, int flags) {
  Spng context(spng_ctx_new(flags), &spng_ctx_free);
  if (!context) throw run_error(path + ": out of memory for the picture");
  return context;
}

void check_png(const PictureFile& file, int result) {
  switch (result) {
    case SPNG_OK:
      return;
    case SPNG_EMEM:
      throw run_error(file.path + ": out of memory for the picture");
    case SPNG_EOF:
    case SPNG_EIO:
    case SPNG_EIDAT_TOO_SHORT:
      throw file.cut_off();
    case SPNG_ECHUNK_CRC:
      throw file.damaged("a checksum is wrong");
    default:
      throw file.damaged(spng_strerror(result));
  }
}

template <class Sample>
void encode_png(const std::string& path, std::size_t width, std::size_t height, std::span<const Sample> pixels) {
  const Spng context = new_spng(path, SPNG_CTX_ENCODER);
  const auto check = [&](int result) {
    if (result == SPNG_EMEM) throw run_error(path + ": out of memory for the picture");
    if (result != SPNG_OK) throw run_error(path + ": the picture cannot be encoded (" + spng_strerror(result) + ")");
  };
  const bool has_alpha = pixels.size() == 4 * width * height;
  spng_ihdr header{};
  header.width = static_cast<std::uint32_t>(width), header.height = static_cast<std::uint32_t>(height);
  header.bit_depth = 8 * sizeof(Sample);
  header.color_type = has_alpha ? SPNG_COLOR_TYPE_TRUECOLOR_ALPHA : SPNG_COLOR_TYPE_TRUECOLOR;
  check(spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1));
  check(spng_set_ihdr(context.get(), &header));
  check(spng_encode_image(context.get(), pixels.data(), pixels.size_bytes(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE));
  std::size_t size = 0;
  int result = 0;
  const std::unique_ptr<void, decltype(&std::free)> bytes(spng_get_png_buffer(context.get(), &size, &result),
                                                          &std::free);
  check(result);
  write_bytes(path, {static_cast<const char*>(bytes.get()), size});
}

}  // namespace

DecodedPicture decode_png(const PictureFile& file) {
  if (file.part(12, 4) != "IHDR") throw file.damaged("its header is missing");
  const std::uint32_t colour = file.byte(25);
  const std::uint64_t stored = colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
  const std::uint64_t pixel_bits = std::max<std::uint64_t>(1, stored * file.byte(24));
  // Deflate packs at most 1032 bytes into one.
  file.check_size(file.big32(16), file.big32(20), 1032 * 8 * file.bytes.size() / pixel_bits);
  const Spng context = new_spng(file.path, 0);
  const auto check = [&](int result) { check_png(file, result); };
  check(spng_set_png_buffer(context.get(), file.bytes.data(), file.bytes.size()));
  check(spng_set_crc_action(context.get(), SPNG_CRC_ERROR, SPNG_CRC_ERROR));
  // What is kept of chunks beside the pixels (EXIF data, text); packed text is unpacked.
  constexpr std::size_t most_in_a_chunk = std::size_t{64} << 20, most_in_all = std::size_t{256} << 20;
  check(spng_set_chunk_limits(context.get(), most_in_a_chunk, most_in_all));
  spng_ihdr header{};
  check(spng_get_ihdr(context.get(), &header));
  DecodedPicture picture;
  picture.width = header.width, picture.height = header.height;
  const auto has = [&](int result) {
    if (result != SPNG_ECHUNKAVAIL) check(result);
    return result == SPNG_OK;
  };
  spng_trns transparent{};
  const bool has_alpha = (header.color_type & 4) != 0 || has(spng_get_trns(context.get(), &transparent));
  picture.bits = header.bit_depth == 16 ? 16 : 8;
  picture.channels = has_alpha || picture.bits == 16 ? 4 : 3;
  const int format = picture.bits == 16 ? SPNG_FMT_RGBA16 : has_alpha ? SPNG_FMT_RGBA8 : SPNG_FMT_RGB8;
  check(spng_decode_image(context.get(), nullptr, 0, format, SPNG_DECODE_PROGRESSIVE | SPNG_DECODE_TRNS));
  picture.allocate(file);
  // Either function tells the end, depending on the interlacing.
  for (int result = SPNG_OK; result != SPNG_EOI;) {
    spng_row_info row{};
    result = spng_get_row_info(context.get(), &row);
    if (result == SPNG_OK) {
      if (row.row_num % 256 == 0) file.tell(row.row_num, picture.height);
      result = spng_decode_row(context.get(), picture.row(row.row_num), picture.row_bytes());
    }
    if (result != SPNG_EOI) check(result);
  }
  check(spng_decode_chunks(context.get()));
  // The library takes a file that lacks its end, or a part of it.
  if (file.bytes.rfind(std::string_view("\0\0\0\0IEND\xAE\x42\x60\x82", 12)) == std::string_view::npos)
    throw file.cut_off();
  spng_exif exif{};
  if (has(spng_get_exif(context.get(), &exif))) take_orientation({exif.data, exif.length}, picture);
  return picture;
}

void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint8_t> pixels) {
  encode_png(path, width, height, pixels);
}

void write_png(const std::string& path, std::size_t width, std::size_t height, std::span<const std::uint16_t> pixels) {
  encode_png(path, width, height, pixels);
}

}  // namespace kinescope::sim
