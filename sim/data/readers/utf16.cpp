#include "sim/data/readers/utf16.hpp"

#include <algorithm>
#include <cstring>

namespace kinescope::sim {
namespace {

constexpr std::size_t step_bytes = 64 << 10;

void append(std::string& text, std::uint32_t c) {
  const auto byte = [&](std::uint32_t value) { text += static_cast<char>(value); };
  if (c < 0x80) return byte(c);
  if (c < 0x800) return byte(0xC0 | c >> 6), byte(0x80 | (c & 0x3F));
  if (c < 0x10000) return byte(0xE0 | c >> 12), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F));
  byte(0xF0 | c >> 18), byte(0x80 | (c >> 12 & 0x3F)), byte(0x80 | (c >> 6 & 0x3F)), byte(0x80 | (c & 0x3F));
}

bool begins_pair(std::uint32_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool ends_pair(std::uint32_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

Utf16Source::Utf16Source(InputFile& file) : file_(file) {
  char mark[2];
  file_.read_exactly(mark, sizeof mark, "its byte order mark");
  big_endian_ = static_cast<unsigned char>(mark[0]) == 0xFE;
}

// Decodes all whole characters of units_; at the end of the file the rest too.
void Utf16Source::decode() {
  const std::size_t size = units_.size();
  units_.resize(size + step_bytes);
  const std::size_t got = file_.read(units_.data() + size, step_bytes);
  units_.resize(size + got);
  const bool at_end = got < step_bytes;
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(units_[at]), second = static_cast<unsigned char>(units_[at + 1]);
    return static_cast<std::uint32_t>(big_endian_ ? first << 8 | second : second << 8 | first);
  };
  constexpr std::uint32_t replacement = 0xFFFD;
  text_.clear();
  taken_ = 0;
  std::size_t at = 0;
  for (; at + 1 < units_.size(); at += 2) {
    const std::uint32_t c = unit(at);
    if (!begins_pair(c)) {
      append(text_, ends_pair(c) ? replacement : c);
      continue;
    }
    if (at + 3 >= units_.size() && !at_end) break;
    const bool pair = at + 3 < units_.size() && ends_pair(unit(at + 2));
    append(text_, pair ? 0x10000 + ((c - 0xD800) << 10) + (unit(at + 2) - 0xDC00) : replacement);
    if (pair) at += 2;
  }
  units_.erase(0, at_end ? units_.size() : at);
}

std::size_t Utf16Source::read(char* into, std::size_t bytes) {
  if (taken_ == text_.size()) decode();
  const std::size_t count = std::min(bytes, text_.size() - taken_);
  std::memcpy(into, text_.data() + taken_, count);
  taken_ += count;
  return count;
}

}  // namespace kinescope::sim
