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
  constexpr std::string_view blanks = " \t";
  const std::size_t begin = std::min(rest.find_first_not_of(blanks), rest.size());
  const std::size_t end = std::min(rest.find_first_of(blanks, begin), rest.size());
  const std::string_view word = rest.substr(begin, end - begin);
  rest.remove_prefix(end);
  return word;
}

}  // namespace kinescope::sim
