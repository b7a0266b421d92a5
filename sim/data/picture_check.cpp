#include "sim/data/picture_check.hpp"

#include <algorithm>
#include <cstddef>
#include <zlib.h>

#include "sim/core/error.hpp"
#include "sim/data/picture.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// Bytes by their place; past the end they are 0, and `ended` is set.
class Bytes {
 public:
  Bytes(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::string_view part(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) throw cut_off();
    return bytes_.substr(at, size);
  }
  std::uint32_t byte(std::size_t at) const { return static_cast<unsigned char>(part(at, 1)[0]); }
  std::uint32_t big16(std::size_t at) const { return byte(at) << 8 | byte(at + 1); }
  std::uint32_t big32(std::size_t at) const { return big16(at) << 16 | big16(at + 2); }
  std::uint32_t little16(std::size_t at) const { return byte(at) | byte(at + 1) << 8; }
  std::uint32_t little32(std::size_t at) const { return little16(at) | little16(at + 2) << 16; }

  Error damaged(const std::string& what) const { return file_error(path_, "a damaged picture: " + what); }
  Error cut_off() const { return file_error(path_, "the picture is cut off"); }

 private:
  const std::string& path_;
  std::string_view bytes_;
};

PictureHeader sized(const std::string& path, std::uint64_t width, std::uint64_t height) {
  const std::string size = std::to_string(width) + " x " + std::to_string(height);
  if (width == 0 || height == 0) throw file_error(path, "a damaged picture: it says " + size + " pixels");
  if (width > maximum_pixels / height)
    throw file_error(path, "a picture of " + size + " pixels; at most 2^28 (268 million) are read");
  // The decoder's own limit on a side.
  if (std::max(width, height) > (1u << 24)) throw file_error(path, "a picture of " + size + " pixels is too long");
  return {width, height};
}

// Deflate packs at most 1032 bytes into one.
constexpr std::uint64_t deflate_ratio = 1032;

// Every chunk's checksum, which the decoder does not look at.
PictureHeader check_png(const std::string& path, const Bytes& bytes) {
  if (bytes.part(12, 4) != "IHDR") throw bytes.damaged("its header is missing");
  const PictureHeader header = sized(path, bytes.big32(16), bytes.big32(20));
  const std::uint32_t depth = bytes.byte(24), colour = bytes.byte(25);
  const std::uint64_t channels = colour == 2 ? 3 : colour == 4 ? 2 : colour == 6 ? 4 : 1;
  std::uint64_t packed = 0;
  for (std::size_t at = 8;;) {
    const std::size_t length = bytes.big32(at);
    const std::string_view chunk = bytes.part(at + 4, length + 4);
    const auto sum = crc32(0, reinterpret_cast<const Bytef*>(chunk.data()), static_cast<uInt>(chunk.size()));
    if (sum != bytes.big32(at + 8 + length)) throw bytes.damaged("a checksum is wrong");
    if (chunk.starts_with("IDAT")) packed += length;
    if (chunk.starts_with("IEND")) break;
    at += length + 12;
  }
  if (header.width * header.height * channels * depth / 8 > packed * deflate_ratio)
    throw bytes.damaged("it says more pixels than its bytes can hold");
  return header;
}

// Segments up to the frame's header; then the end must be there, which the decoder does not ask for.
PictureHeader check_jpeg(const std::string& path, const Bytes& bytes) {
  PictureHeader header;
  for (std::size_t at = 2; header.width == 0;) {
    if (bytes.byte(at) != 0xFF) throw bytes.damaged("a marker is missing");
    const std::uint32_t marker = bytes.byte(at + 1);
    if (marker == 0xFF) {
      ++at;
      continue;
    }
    if (marker == 0xD9 || marker == 0xDA) throw bytes.damaged("its size is missing");
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame) header = sized(path, bytes.big16(at + 7), bytes.big16(at + 5));
    at += 2 + bytes.big16(at + 2);
  }
  // A block of 64 pixels takes at least a bit, a colour's too may have a quarter of the pixels.
  if (header.width * header.height / 512 > bytes.size()) throw bytes.damaged("it says more pixels than its bytes hold");
  std::size_t end = bytes.size();
  while (end > 2 && bytes.byte(end - 1) == 0) --end;
  const std::string_view last = bytes.part(end > 4096 ? end - 4096 : 0, std::min<std::size_t>(end, 4096));
  if (last.rfind("\xFF\xD9") == std::string_view::npos) throw bytes.cut_off();
  return header;
}

PictureHeader check_bmp(const std::string& path, const Bytes& bytes) {
  const std::uint64_t begin = bytes.little32(10);
  const bool old = bytes.little32(14) == 12;
  const auto height = static_cast<std::int32_t>(old ? bytes.little16(20) : bytes.little32(22));
  const auto width = static_cast<std::int32_t>(old ? bytes.little16(18) : bytes.little32(18));
  const PictureHeader header =
      sized(path, static_cast<std::uint64_t>(std::max(width, 0)),
            static_cast<std::uint64_t>(height < 0 ? -static_cast<std::int64_t>(height) : height));
  const std::uint64_t bits = bytes.little16(old ? 24 : 28), compression = old ? 0 : bytes.little32(30);
  if (compression == 1 || compression == 2)
    throw file_error(path, "a BMP picture with run-length encoding is not read");
  if (begin + (header.width * bits + 31) / 32 * 4 * header.height > bytes.size()) throw bytes.cut_off();
  return header;
}

PictureHeader check_tga(const std::string& path, const Bytes& bytes) {
  const PictureHeader header = sized(path, bytes.little16(12), bytes.little16(14));
  const std::uint64_t pixels = header.width * header.height, pixel_bytes = (bytes.byte(16) + 7) / 8;
  const std::uint64_t map = bytes.byte(1) ? bytes.little16(5) * ((bytes.byte(7) + 7) / 8) : 0;
  std::uint64_t at = 18 + bytes.byte(0) + map;
  if (bytes.byte(2) < 8) {
    if (at + pixels * pixel_bytes > bytes.size()) throw bytes.cut_off();
    return header;
  }
  for (std::uint64_t had = 0; had < pixels;) {
    const std::uint32_t packet = bytes.byte(at), count = (packet & 127) + 1;
    at += 1 + (packet & 128 ? 1 : count) * pixel_bytes;
    had += count;
  }
  if (at > bytes.size()) throw bytes.cut_off();
  return header;
}

// TGA has no signature; its header has few values that mean something.
bool is_tga(std::string_view head, const std::string& path) {
  if (!ends_with_ignoring_case(path, ".tga") && !ends_with_ignoring_case(path, ".tga.gz")) return false;
  if (head.size() < 18) return false;
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(head[i]); };
  const int type = at(2) & 7, bits = at(16);
  return at(1) <= 1 && at(2) <= 11 && type >= 1 && type <= 3 &&
         (bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32);
}

}  // namespace

PictureFormat picture_format(std::string_view head, const std::string& path) {
  if (head.starts_with("\x89PNG\r\n\x1A\n")) return PictureFormat::png;
  if (head.starts_with("\xFF\xD8\xFF")) return PictureFormat::jpeg;
  // "BM" may well begin a header of text; a picture has zeros in its own.
  if (head.starts_with("BM") && head.substr(0, 26).find('\0') != std::string_view::npos) return PictureFormat::bmp;
  return is_tga(head, path) ? PictureFormat::tga : PictureFormat::none;
}

const char* picture_format_name(PictureFormat format) {
  static constexpr const char* names[] = {"", "PNG", "JPEG", "BMP", "TGA"};
  return names[static_cast<std::size_t>(format)];
}

PictureHeader check_picture(const std::string& path, PictureFormat format, std::string_view bytes) {
  const Bytes whole(path, bytes);
  switch (format) {
    case PictureFormat::png:
      return check_png(path, whole);
    case PictureFormat::jpeg:
      return check_jpeg(path, whole);
    case PictureFormat::bmp:
      return check_bmp(path, whole);
    default:
      return check_tga(path, whole);
  }
}

}  // namespace kinescope::sim
