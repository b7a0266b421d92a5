#include "sim/data/readers/pictures/picture_check.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>
#include <zlib.h>

#include "sim/core/error.hpp"
#include "sim/data/readers/pictures/picture.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

// Bytes by index; an index past the end is an error.
class Bytes {
 public:
  Bytes(const std::string& path, std::string_view bytes) : path_(path), bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::string_view part(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) throw cut_off();
    return bytes_.substr(at, size);
  }
  // The index of the next byte of this value, from `at` on.
  std::size_t find(std::uint32_t byte, std::size_t at) const {
    const std::size_t found = bytes_.find(static_cast<char>(byte), at);
    if (found == std::string_view::npos) throw cut_off();
    return found;
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
  if (width == 0 || height == 0) throw file_error(path, "a damaged picture: it states " + size + " pixels");
  if (width > maximum_pixels / height)
    throw file_error(path, "a picture of " + size + " pixels; at most 2^28 (268 million) are supported");
  // The decoder's own limit on width and height.
  if (std::max(width, height) > (1u << 24))
    throw file_error(path, "a picture of " + size + " pixels is too wide or too high");
  return {width, height};
}

// Deflate packs at most 1032 bytes into one.
constexpr std::uint64_t deflate_ratio = 1032;

// Checks every chunk's checksum, which the decoder ignores.
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
    throw bytes.damaged("it states more pixels than its bytes can hold");
  return header;
}

// Walks a JPEG from marker to marker as the decoder will. The decoder (stb_image 2.27) copies a table's codes before it
// counts them, and uses tables that were never defined, so both are checked here.
class Jpeg {
 public:
  Jpeg(const std::string& path, const Bytes& bytes) : path_(path), bytes_(bytes) {}

  // Stops at the first end of an image: cameras append more pictures and other things.
  PictureHeader walk() {
    for (std::size_t at = 2;;) {
      if (bytes_.byte(at) != 0xFF) throw bytes_.damaged("a marker is missing");
      while (bytes_.byte(at + 1) == 0xFF) ++at;
      const std::uint32_t marker = bytes_.byte(at + 1);
      at += 2;
      if (marker == end_of_image) break;
      const std::size_t length = bytes_.big16(at);
      if (length < 2) throw bytes_.damaged("a segment has no length");
      bytes_.part(at, length);
      take(marker, at + 2, at + length);
      at = marker == start_of_scan ? end_of_scan(at + length) : at + length;
    }
    if (scans_ == 0) throw bytes_.damaged("it has no pixels");
    return header_;
  }

 private:
  static constexpr std::uint32_t end_of_image = 0xD9, start_of_scan = 0xDA;

  struct Component {
    std::uint32_t id = 0, quantization = 0;
  };

  void take(std::uint32_t marker, std::size_t at, std::size_t end) {
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (marker == 0xC4) {
      take_codes(at, end);
    } else if (marker == 0xDB) {
      take_quantization(at, end);
    } else if (frame) {
      take_frame(marker, at, end);
    } else if (marker == start_of_scan) {
      take_scan(at, end);
    } else if (marker < 0xC0 || (marker >= 0xD0 && marker <= 0xD8)) {
      throw bytes_.damaged("a marker is out of place");
    }
  }

  void take_codes(std::size_t at, std::size_t end) {
    while (at < end) {
      const std::uint32_t kind = bytes_.byte(at) >> 4, table = bytes_.byte(at) & 15;
      std::size_t codes = 0, room = 1;  // room: how many codes of this length are still possible
      for (std::size_t length = 1; length <= 16; ++length) {
        const std::size_t count = bytes_.byte(at + length);
        room *= 2;
        if (count > room) throw bytes_.damaged("a table of codes is impossible");
        room -= count;
        codes += count;
      }
      if (kind > 1 || table > 3 || codes > 256 || at + 17 + codes > end)
        throw bytes_.damaged("a table of codes is impossible");
      codes_[kind][table] = true;
      at += 17 + codes;
    }
  }

  void take_quantization(std::size_t at, std::size_t end) {
    while (at < end) {
      const std::uint32_t precision = bytes_.byte(at) >> 4, table = bytes_.byte(at) & 15;
      at += precision == 0 ? 65 : 129;
      if (precision > 1 || table > 3 || at > end) throw bytes_.damaged("a table of quantization is impossible");
      quantization_[table] = true;
    }
  }

  void take_frame(std::uint32_t marker, std::size_t at, std::size_t end) {
    if (marker > 0xC2) throw file_error(path_, "lossless and arithmetic JPEG pictures are not supported");
    if (header_.width > 0) throw bytes_.damaged("it states two different sizes");
    header_ = sized(path_, bytes_.big16(at + 3), bytes_.big16(at + 1));
    // A block of 64 pixels takes at least one bit; colour components may have a quarter of the pixels.
    if (header_.width * header_.height / 512 > bytes_.size())
      throw bytes_.damaged("it states more pixels than its bytes can hold");
    progressive_ = marker == 0xC2;
    const std::size_t count = bytes_.byte(at + 5);
    if (count < 1 || count > 4 || at + 6 + 3 * count != end) throw bytes_.damaged("its colours are impossible");
    for (std::size_t i = 0; i < count; ++i)
      components_.push_back({bytes_.byte(at + 6 + 3 * i), bytes_.byte(at + 8 + 3 * i)});
  }

  void take_scan(std::size_t at, std::size_t end) {
    const std::size_t count = bytes_.byte(at);
    if (header_.width == 0) throw bytes_.damaged("its size is missing");
    if (count < 1 || count > components_.size() || at + 4 + 2 * count != end)
      throw bytes_.damaged("a scan is impossible");
    const std::uint32_t first = bytes_.byte(at + 1 + 2 * count), refines = bytes_.byte(end - 1) >> 4;
    const bool needs_dc = !progressive_ || (first == 0 && refines == 0), needs_ac = !progressive_ || first > 0;
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t id = bytes_.byte(at + 1 + 2 * i), tables = bytes_.byte(at + 2 + 2 * i);
      const auto component = std::find_if(components_.begin(), components_.end(), [&](auto& c) { return c.id == id; });
      const bool known = component != components_.end() && component->quantization < 4 && tables >> 4 < 4 &&
                         (tables & 15) < 4 && quantization_[component->quantization] &&
                         (!needs_dc || codes_[0][tables >> 4]) && (!needs_ac || codes_[1][tables & 15]);
      if (!known) throw bytes_.damaged("a scan uses a table that is missing");
    }
    ++scans_;
    // Encoders make about ten scans; each covers the whole picture.
    if (scans_ > 500 || (scans_ > 32 && scans_ * header_.width * header_.height > std::uint64_t{1} << 31))
      throw bytes_.damaged("it has more scans than a picture needs");
  }

  // The end of entropy-coded bytes, in which FF is followed by 00 or by a restart marker.
  std::size_t end_of_scan(std::size_t at) const {
    for (;; ++at) {
      at = bytes_.find(0xFF, at);
      std::size_t next = at + 1;
      while (bytes_.byte(next) == 0xFF) ++next;
      const std::uint32_t marker = bytes_.byte(next);
      if (marker != 0 && (marker < 0xD0 || marker > 0xD7)) return next - 1;
      at = next;
    }
  }

  const std::string& path_;
  const Bytes& bytes_;
  PictureHeader header_;
  bool progressive_ = false;
  std::vector<Component> components_;
  bool codes_[2][4] = {}, quantization_[4] = {};  // which tables are defined
  std::uint64_t scans_ = 0;
};

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
    throw file_error(path, "BMP pictures with run-length encoding are not supported");
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

// TGA has no signature, but few values of its header are valid.
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
  // A text may well begin with "BM", but a picture's header has zeros in it.
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
      return Jpeg(path, whole).walk();
    case PictureFormat::bmp:
      return check_bmp(path, whole);
    default:
      return check_tga(path, whole);
  }
}

}  // namespace kinescope::sim
