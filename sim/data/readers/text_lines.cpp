#include "sim/data/readers/text_lines.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "sim/data/limits.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/text.hpp"

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
    if (++number_ == 1) text_ = without_mark(text_);
    return true;
  }
}

double TextLines::value_of(std::string_view word) const {
  double value = 0;
  const CellKind kind = parse_cell(word, value);
  if (kind == CellKind::text) throw error("expected a number, found " + shown(word));
  return kind == CellKind::missing ? std::numeric_limits<double>::quiet_NaN() : value;
}

void TextLines::expect_end(const char* message) {
  while (next())
    if (text_.find_first_not_of(" \t\r") != std::string_view::npos) throw error(message);
}

std::string_view trimmed(std::string_view text, std::string_view blanks) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

std::string_view next_line(std::string_view& rest) {
  std::string_view line = rest.substr(0, rest.find('\n'));
  rest.remove_prefix(std::min(line.size() + 1, rest.size()));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
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

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) words.push_back(word);
  return words;
}

}  // namespace kinescope::sim
