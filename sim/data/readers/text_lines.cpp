#include "sim/data/readers/text_lines.hpp"

#include <algorithm>
#include <cstring>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"
#include "sim/data/readers/csv/csv_records.hpp"

namespace kinescope::sim {

// Moves the rest to the front of the buffer, doubles the buffer if a line does not fit, and reads on.
void TextLines::fill() {
  const std::size_t first_bytes = file_.buffer_for(1 << 20);
  const std::size_t left = end_ - begin_;
  if (left >= maximum_line_bytes) throw file_error(file_.path(), number_ + 1, "a line of more than 64 MiB");
  if (left > 0) std::memmove(buffer_.data(), buffer_.data() + begin_, left);
  if (2 * left >= buffer_.size()) buffer_.resize(std::clamp(2 * buffer_.size(), first_bytes, maximum_line_bytes));
  const std::size_t wanted = buffer_.size() - left, got = file_.read(buffer_.data() + left, wanted);
  at_end_ = got < wanted;
  begin_ = 0;
  end_ = left + got;
}

bool TextLines::next() {
  for (std::size_t searched = 0;;) {
    const char* const begin = buffer_.data() + begin_;
    const std::size_t left = end_ - begin_;
    const void* found = left > searched ? std::memchr(begin + searched, '\n', left - searched) : nullptr;
    if (!found && !at_end_) {
      searched = left;
      fill();
      continue;
    }
    if (left == 0) return false;
    text_ = {begin, found ? static_cast<std::size_t>(static_cast<const char*>(found) - begin) : left};
    begin_ += text_.size() + (found ? 1 : 0);
    if (text_.ends_with('\r')) text_.remove_suffix(1);
    if (++number_ == 1 && text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
    return true;
  }
}

std::size_t next_filled_line(TextLines& lines) {
  while (lines.next())
    if (lines.text().find_first_not_of(" \t\r") != std::string_view::npos) return lines.number();
  return 0;
}

std::string_view next_word(std::string_view& rest) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  const char *at = rest.data(), *const stop = at + rest.size();
  while (at < stop && is_blank(*at)) ++at;
  const char* const begin = at;
  while (at < stop && !is_blank(*at)) ++at;
  rest.remove_prefix(static_cast<std::size_t>(at - rest.data()));
  return {begin, static_cast<std::size_t>(at - begin)};
}

}  // namespace kinescope::sim
