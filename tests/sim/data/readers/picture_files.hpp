// Small pictures, byte by byte, of kinds that stb_image_write does not write.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>
#include <zlib.h>

namespace kinescope::sim::picture_files {

inline std::string big(std::uint64_t number, int bytes) {
  std::string text;
  while (bytes-- > 0) text += static_cast<char>(number >> (8 * bytes));
  return text;
}

inline std::string little(std::uint64_t number, int bytes) {
  const std::string text = big(number, bytes);
  return {text.rbegin(), text.rend()};
}

inline std::string chunk(const std::string& name, const std::string& content) {
  const std::string body = name + content;
  const auto sum = crc32(0, reinterpret_cast<const Bytef*>(body.data()), static_cast<uInt>(body.size()));
  return big(content.size(), 4) + body + big(sum, 4);
}

inline std::string deflated(const std::string& bytes) {
  std::string packed(compressBound(bytes.size()), '\0');
  uLongf size = packed.size();
  compress(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  packed.resize(size);
  return packed;
}

struct Png {
  std::uint32_t width, height;
  int depth, colour;      // as PNG numbers them
  std::string rows;       // each begins with its filter, 0
  std::string more = "";  // chunks between the header and the pixels
  bool interlaced = false;
};

// The checksums are right, even if the header does not fit the rows.
inline std::string png(const Png& p) {
  const std::string header =
      big(p.width, 4) + big(p.height, 4) + std::string{char(p.depth), char(p.colour), 0, 0, char(p.interlaced)};
  return "\x89PNG\r\n\x1A\n" + chunk("IHDR", header) + p.more + chunk("IDAT", deflated(p.rows)) + chunk("IEND", "");
}

struct Bmp {
  int width = 0, height = 0;  // height < 0: the top row comes first
  int bits = 0, packing = 0;
  std::string palette, rows;  // the rows with their padding, as they are in the file
  std::string masks = "";
  int header = 40;  // its size in bytes
};

inline std::string bmp(const Bmp& b) {
  std::string header = little(b.header, 4);
  if (b.header == 12) {
    header += little(b.width, 2) + little(b.height, 2) + little(1, 2) + little(b.bits, 2);
  } else {
    header += little(b.width, 4) + little(std::uint32_t(b.height), 4) + little(1, 2) + little(b.bits, 2) +
              little(b.packing, 4) + std::string(20, '\0') + b.masks;
    if (header.size() < std::size_t(b.header)) header.resize(std::size_t(b.header));
  }
  const std::size_t begin = 14 + header.size() + b.palette.size();
  return "BM" + little(begin + b.rows.size(), 4) + little(0, 4) + little(begin, 4) + header + b.palette + b.rows;
}

// A segment of a JPEG.
inline std::string segment(int marker, const std::string& content) {
  return std::string{'\xFF', char(marker)} + big(content.size() + 2, 2) + content;
}

class Bits {
 public:
  void put(std::uint32_t value, int bits) {
    while (bits-- > 0) text_ += value >> bits & 1 ? '1' : '0';
  }
  // Filled up with ones; a byte FF is followed by 00.
  std::string bytes() const {
    std::string bits = text_, all;
    while (bits.size() % 8 != 0) bits += '1';
    for (std::size_t at = 0; at < bits.size(); at += 8) {
      all += static_cast<char>(std::stoi(bits.substr(at, 8), nullptr, 2));
      if (all.back() == '\xFF') all += '\0';
    }
    return all;
  }

 private:
  std::string text_;
};

// Tables of a JPEG: quantization by 1; for differences, category n is the code n of four bits; for the other
// coefficients, the code 0 of one bit says that there are none.
inline std::string jpeg_tables() {
  std::string categories = std::string("\0\0\0\0\x0C", 5) + std::string(12, '\0');
  for (char n = 0; n < 12; ++n) categories += n;
  const std::string none = std::string("\x10\x01", 2) + std::string(15, '\0') + std::string(1, '\0');
  return segment(0xDB, std::string(1, '\0') + std::string(64, '\1')) + segment(0xC4, categories) + segment(0xC4, none);
}

// The start of a frame of 8 × 8 pixels: 0xC0 baseline, 0xC2 progressive.
inline std::string jpeg_frame(int marker, std::size_t components, int precision = 8) {
  std::string frame = big(precision, 1) + big(8, 2) + big(8, 2) + big(components, 1);
  for (std::size_t c = 0; c < components; ++c) frame += std::string{char(c + 1), '\x11', '\0'};
  return segment(marker, frame);
}

inline std::string jpeg_scan(std::size_t components, int first, int last, int approximation) {
  std::string scan = big(components, 1);
  for (std::size_t c = 0; c < components; ++c) scan += std::string{char(c + 1), '\0'};
  return segment(0xDA, scan + std::string{char(first), char(last), char(approximation)});
}

// 8 × 8 pixels of the same components, exactly: baseline, or with another marker for the frame. `more` are segments in
// the beginning.
inline std::string flat_jpeg(const std::vector<int>& components, const std::string& more = "", int frame = 0xC0,
                             int precision = 8) {
  Bits bits;
  for (const int value : components) {
    const int difference = 8 * (value - 128);
    int category = 0;
    while (difference != 0 && std::abs(difference) >> category != 0) ++category;
    bits.put(std::uint32_t(category), 4);
    bits.put(std::uint32_t(difference > 0 ? difference : difference + (1 << category) - 1), category);
    bits.put(0, 1);
  }
  return "\xFF\xD8" + more + jpeg_tables() + jpeg_frame(frame, components.size(), precision) +
         jpeg_scan(components.size(), 0, 63, 0) + bits.bytes() + "\xFF\xD9";
}

// EXIF data with an orientation, of either order of bytes.
inline std::string exif(int orientation, bool big_endian) {
  const auto number = big_endian ? big : little;
  return std::string(big_endian ? "MM" : "II") + number(42, 2) + number(8, 4) + number(1, 2) + number(0x0112, 2) +
         number(3, 2) + number(1, 4) + number(std::uint64_t(orientation), 2) + number(0, 2) + number(0, 4);
}

}  // namespace kinescope::sim::picture_files
