// Windows and OS/2 bitmaps. stb_image leaves the colours beyond a short palette uninitialized, takes unused bytes for
// the opacity, and pixels for the masks of headers of 56 bytes.
#include <algorithm>
#include <array>
#include <bit>

#include "sim/data/readers/pictures/picture_file.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

class Bmp {
 public:
  explicit Bmp(const PictureFile& file) : file_(file) {
    old_ = header_bytes_ == 12;
    if (!old_ && header_bytes_ < 16) throw file_.damaged("its header is impossible");
    const auto width = static_cast<std::int32_t>(old_ ? file_.little16(18) : file_.little32(18));
    const auto height = static_cast<std::int32_t>(old_ ? file_.little16(20) : file_.little32(22));
    bits_ = old_ ? file_.little16(24) : file_.little16(28);
    refuse_packed();
    top_down_ = height < 0;
    const std::uint64_t rows = top_down_ ? -static_cast<std::int64_t>(height) : height;
    file_.check_size(static_cast<std::uint64_t>(std::max(width, 0)), rows, UINT64_MAX);
    row_bytes_ = (static_cast<std::uint64_t>(width) * bits_ + 31) / 32 * 4;
    // Some programs state where the pixels would begin without the palette.
    const std::uint64_t palette_end = 14 + header_bytes_ + std::uint64_t{field(46)} * 4;
    if (bits_ <= 8 && begin_ < palette_end && palette_end + row_bytes_ * rows == file_.bytes.size())
      begin_ = palette_end;
    file_.part(begin_, row_bytes_ * rows);
    picture_.width = static_cast<std::size_t>(width), picture_.height = rows;
  }

  DecodedPicture decode() {
    if (bits_ <= 8)
      read_palette();
    else if (bits_ != 24)
      read_masks();
    picture_.channels = masks_[3] != 0 ? 4 : 3;
    picture_.orientation = top_down_ ? 1 : 4;
    picture_.allocate(file_);
    for (std::size_t y = 0; y < picture_.height; ++y) {
      if (y % 256 == 0) file_.tell(y, picture_.height);
      const auto* from = reinterpret_cast<const std::uint8_t*>(file_.bytes.data()) + begin_ + y * row_bytes_;
      if (bits_ <= 8)
        decode_indices(from, picture_.row(y));
      else if (bits_ == 24)
        decode_bytes(from, picture_.row(y));
      else
        decode_masked(from, picture_.row(y));
    }
    if (picture_.channels == 4) opaque_if_unset(picture_);
    note_rest();
    return std::move(picture_);
  }

 private:
  // A 32-bit field of the header; 0 if the header ends before it.
  std::uint32_t field(std::uint32_t at) const { return at + 4 <= 14 + header_bytes_ ? file_.little32(at) : 0; }

  void refuse_packed() {
    const std::uint32_t packing = field(30);
    const bool is_os2 = header_bytes_ == 64;
    if (packing == 1 || packing == 2 || (is_os2 && packing == 4))
      throw file_.refused("BMP pictures with run-length encoding");
    if (is_os2 && packing == 3) throw file_.refused("BMP pictures with Huffman codes");
    if (packing == 4 || packing == 5) throw file_.refused("BMP pictures that hold a JPEG or PNG picture");
    has_masks_ = packing == 3 || packing == 6;
    if ((packing != 0 && !has_masks_) || (has_masks_ && bits_ != 16 && bits_ != 32))
      throw file_.damaged("its encoding is impossible");
    if (bits_ != 1 && bits_ != 2 && bits_ != 4 && bits_ != 8 && bits_ != 16 && bits_ != 24 && bits_ != 32)
      throw file_.damaged("it states " + std::to_string(bits_) + " bits a pixel");
  }

  // Programs fill up the file with zeros, and headers of 124 bytes place a colour profile behind the pixels.
  void note_rest() {
    constexpr std::uint32_t with_profile = 124;
    const std::string_view rest = file_.bytes.substr(begin_ + row_bytes_ * picture_.height);
    if (header_bytes_ < with_profile && rest.find_first_not_of('\0') != std::string_view::npos)
      picture_.remarks.push_back(count_of(rest.size(), "byte") + (rest.size() == 1 ? " follows" : " follow") +
                                 " the pixels: the file may be damaged, and the picture wrong");
  }

  // Colours that the palette lacks are black.
  void read_palette() {
    const std::uint64_t at = 14 + header_bytes_, entry = old_ ? 3 : 4, most = std::uint64_t{1} << bits_;
    const std::uint64_t stated = field(46), room = begin_ > at ? (begin_ - at) / entry : 0;
    const std::uint64_t colours = std::min({stated == 0 ? most : stated, most, room});
    for (std::uint64_t i = 0; i < colours; ++i)
      for (std::uint64_t c = 0; c < 3; ++c)
        palette_[i][2 - c] = static_cast<std::uint8_t>(file_.byte(at + i * entry + c));
  }

  void read_masks() {
    if (!has_masks_) {
      if (bits_ == 16)
        masks_ = {0x7C00, 0x03E0, 0x001F, 0};
      else
        masks_ = {0xFF0000, 0xFF00, 0xFF, 0};
      return;
    }
    // They are in the header or, if that is too short for them, behind it.
    const bool has_alpha = header_bytes_ >= 56 || field(30) == 6;
    for (std::uint64_t c = 0; c < (has_alpha ? 4 : 3); ++c) masks_[c] = file_.little32(54 + 4 * c);
    for (std::size_t c = 0; c < 4; ++c) {
      const std::uint32_t ones = masks_[c] == 0 ? 0 : masks_[c] >> std::countr_zero(masks_[c]);
      if ((c < 3 && ones == 0) || (ones & (ones + 1)) != 0) throw file_.damaged("its masks are impossible");
    }
  }

  void decode_indices(const std::uint8_t* from, std::uint8_t* to) const {
    const std::size_t in_a_byte = 8 / bits_;
    for (std::size_t x = 0; x < picture_.width; ++x) {
      const auto shift = static_cast<std::uint32_t>((in_a_byte - 1 - x % in_a_byte) * bits_);
      const std::size_t index = from[x / in_a_byte] >> shift & ((1u << bits_) - 1);
      to = std::copy_n(palette_[index].data(), 3, to);
    }
  }

  void decode_bytes(const std::uint8_t* from, std::uint8_t* to) const {
    for (std::size_t x = 0; x < picture_.width; ++x, from += 3, to += 3)
      to[0] = from[2], to[1] = from[1], to[2] = from[0];
  }

  void decode_masked(const std::uint8_t* from, std::uint8_t* to) const {
    for (std::size_t x = 0; x < picture_.width; ++x) {
      std::uint32_t pixel = 0;
      for (std::uint32_t b = 0; b < bits_; b += 8) pixel |= static_cast<std::uint32_t>(*from++) << b;
      for (std::size_t c = 0; c < picture_.channels; ++c) *to++ = to_byte(pixel & masks_[c], masks_[c]);
    }
  }

  // Fewer than 8 bits are repeated until they fill the byte, so that all ones become 255.
  static std::uint8_t to_byte(std::uint32_t value, std::uint32_t mask) {
    const int width = std::popcount(mask);
    value >>= std::countr_zero(mask);
    if (width >= 8) return static_cast<std::uint8_t>(value >> (width - 8));
    std::uint32_t filled = 0;
    for (int left = 8; left > 0; left -= width)
      filled |= left >= width ? value << (left - width) : value >> (width - left);
    return static_cast<std::uint8_t>(filled);
  }

  const PictureFile& file_;
  std::uint64_t begin_ = file_.little32(10);
  const std::uint32_t header_bytes_ = file_.little32(14);
  bool old_ = false, top_down_ = false, has_masks_ = false;
  std::uint32_t bits_ = 0;
  std::uint64_t row_bytes_ = 0;
  std::array<std::array<std::uint8_t, 3>, 256> palette_{};
  std::array<std::uint32_t, 4> masks_{};
  DecodedPicture picture_;
};

}  // namespace

DecodedPicture decode_bmp(const PictureFile& file) {
  return Bmp(file).decode();
}

}  // namespace kinescope::sim
