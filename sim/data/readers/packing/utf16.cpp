#include <algorithm>

#include "sim/data/readers/packing/packings.hpp"
#include "sim/data/readers/packing/unpacker.hpp"
#include "sim/data/text.hpp"

namespace kinescope::sim {
namespace {

constexpr std::string_view little_mark = "\xFF\xFE", big_mark = "\xFE\xFF";

bool is_utf32(std::string_view head) {
  using namespace std::string_view_literals;
  return head.starts_with("\xFF\xFE\0\0"sv);
}

// Whether every second byte of the first lines is 0 and the others are letters of ASCII, nearly all of them.
bool looks_like_utf16(std::string_view head, bool big) {
  constexpr std::size_t looked_at = 1024;
  head = head.substr(0, std::min(head.size(), looked_at));
  std::size_t units = 0, ascii = 0;
  bool ends_line = false;
  for (std::size_t i = 0; i + 1 < head.size(); i += 2, ++units) {
    const auto high = static_cast<unsigned char>(head[big ? i : i + 1]),
               low = static_cast<unsigned char>(head[big ? i + 1 : i]);
    if (high == 0 && low < ' ' && low != '\t' && low != '\r' && low != '\n') return false;
    ascii += high == 0 && low < 0x7F;
    ends_line = ends_line || (high == 0 && low == '\n');
  }
  return ends_line && units >= 4 && 10 * ascii >= 9 * units;
}

bool is_big(std::string_view head) {
  return head.starts_with(big_mark) || (!head.starts_with(little_mark) && looks_like_utf16(head, true));
}

class FromUtf16 final : public Unpacker {
 public:
  using Unpacker::Unpacker;

  std::size_t read(char* into, std::size_t bytes) override {
    while (made_at_ == made_.size()) {
      made_.clear(), made_at_ = 0;
      if (!fill()) {
        if (has_half_) throw file_error(path_, "the text in UTF-16 ends within a character");
        if (high_ == 0) return 0;
        append_utf8(made_, replacement), high_ = 0;
        continue;
      }
      if (!begun_) big_ = is_big({next(), at_hand()}), begun_ = true;
      convert({next(), at_hand()});
      take(at_hand());
    }
    const std::size_t count = std::min(bytes, made_.size() - made_at_);
    std::copy_n(made_.data() + made_at_, count, into);
    made_at_ += count;
    return count;
  }

 private:
  static constexpr char32_t replacement = 0xFFFD;

  void convert(std::string_view bytes) {
    for (const char each : bytes) {
      const auto byte = static_cast<unsigned char>(each);
      has_half_ = !has_half_;
      if (has_half_)
        half_ = byte;
      else
        add(static_cast<char32_t>(big_ ? half_ << 8 | byte : byte << 8 | half_));
    }
  }
  void add(char32_t unit) {
    const bool low = unit >= 0xDC00 && unit < 0xE000;
    if (high_ != 0) {
      append_utf8(made_, low ? 0x10000 + ((high_ - 0xD800) << 10) + (unit - 0xDC00) : replacement);
      high_ = 0;
      if (low) return;
    }
    if (unit >= 0xD800 && unit < 0xDC00)
      high_ = unit;
    else
      append_utf8(made_, low ? replacement : unit);
  }
  bool begun_ = false, big_ = false;
  bool has_half_ = false;  // the first byte of a unit is in half_
  unsigned half_ = 0;
  char32_t high_ = 0;  // the first half of a pair of surrogates
  std::string made_;
  std::size_t made_at_ = 0;
};

}  // namespace

const Packing utf16_packing = {.text = "UTF-16",
                               .fits =
                                   [](std::string_view head) {
                                     if (head.starts_with(little_mark) || head.starts_with(big_mark))
                                       return !is_utf32(head);
                                     return looks_like_utf16(head, false) || looks_like_utf16(head, true);
                                   },
                               .unpack = unpack_by<FromUtf16>};

}  // namespace kinescope::sim
