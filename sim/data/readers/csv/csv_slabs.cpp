#include "sim/data/readers/csv/csv_slabs.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/data/limits.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t first_bytes = 1 << 20;

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// The end of the last line that ends before `end`, `from` if none does. A CR at the text's end may be half a line end.
std::size_t last_line_end(std::string_view text, std::size_t from, std::size_t end) {
  if (end == text.size() && end > from && text[end - 1] == '\r') --end;
  for (std::size_t at = end; at > from; --at)
    if (text[at - 1] == '\n' || text[at - 1] == '\r') return at;
  return from;
}

}  // namespace

std::size_t end_of_records(std::string_view text, const Dialect& dialect, bool& in_quotes) {
  const char separator = dialect.separator;
  const bool blanks_separate = separator == ' ';
  std::size_t record = 0, from = 0;  // the present record begins at `record`; the text before `from` has been examined
  in_quotes = false;
  if (!dialect.quotes) return last_line_end(text, 0, text.size());
  for (;;) {
    const std::size_t quote = text.find('"', from), plain_end = std::min(quote, text.size());
    if (const std::size_t end = last_line_end(text, from, plain_end); end > from) record = from = end;
    if (quote == std::string_view::npos) return record;
    std::size_t first = record;  // where the record's first cell begins
    while (is_blank(text[first]) && (text[first] != separator || blanks_separate)) ++first;
    if (begins_comment(text.substr(first), separator)) {
      const std::size_t end = text.find_first_of("\r\n", quote);
      if (end >= text.size() - 1) return end == text.size() - 1 && text[end] == '\n' ? text.size() : record;
      record = from = end + (text[end] == '\r' && text[end + 1] == '\n' ? 2 : 1);
      continue;
    }
    std::size_t cell = quote;  // where the cell of the quote begins if the quote opens it
    while (cell > record && is_blank(text[cell - 1]) && (text[cell - 1] != separator || blanks_separate)) --cell;
    const bool opens = cell == record || text[cell - 1] == separator || (blanks_separate && cell < quote);
    from = quote + 1;
    if (!opens) continue;
    for (;; from += 2) {
      from = text.find('"', from);
      if (from >= text.size() - 1) {  // not closed, or perhaps the first of two quotes
        in_quotes = true;
        return record;
      }
      if (text[from + 1] != '"') break;
    }
    ++from;
  }
}

CsvSlabs::CsvSlabs(InputFile& file, const Dialect& dialect, LinesLeftOut left_out)
    : file_(file), dialect_(dialect), left_out_(std::move(left_out)) {
  fill(first_bytes);
  if (rest_.starts_with(byte_order_mark)) rest_.erase(0, byte_order_mark.size());
  if (left_out_.header_comment > 0) left_out_.more.push_back(left_out_.header_comment);
  std::ranges::sort(left_out_.more);
  skip(left_out_.first);
  line_ = 1 + left_out_.first;
  blank_lines();
}

bool CsvSlabs::fill(std::size_t bytes) {
  bytes = file_.buffer_for(bytes);
  const std::size_t size = rest_.size();
  rest_.resize(size + bytes);
  const std::size_t got = file_.read(rest_.data() + size, bytes);
  rest_.resize(size + got);
  at_end_ = got < bytes;
  if (at_end_) leave_out_zeros();
  if (line_ > 0) blank_lines();
  return got > 0;
}

void CsvSlabs::leave_out_zeros() {
  const std::size_t end = rest_.find_last_not_of('\0') + 1;  // 0 if there are only zeros
  zero_bytes_ += rest_.size() - end;
  rest_.resize(end);
}

// Blanks out lines in the text that has not been examined yet, where line `line_` begins or goes on.
void CsvSlabs::blank_lines() {
  const std::vector<std::size_t>& lines = left_out_.more;
  while (examined_ < rest_.size()) {
    while (next_ < lines.size() && lines[next_] < line_) ++next_;
    if (next_ == lines.size()) return;
    const std::size_t end = std::min(rest_.find_first_of("\r\n", examined_), rest_.size());
    if (line_ == left_out_.header_comment)
      rest_[std::min(rest_.find('#', examined_), end - 1)] = ' ';
    else if (line_ == lines[next_])
      std::fill_n(rest_.begin() + static_cast<std::ptrdiff_t>(examined_), end - examined_, ' ');
    examined_ = end;
    if (end == rest_.size() || (rest_[end] == '\r' && end + 1 == rest_.size() && !at_end_)) return;
    examined_ += rest_[end] == '\r' && end + 1 < rest_.size() && rest_[end + 1] == '\n' ? 2 : 1;
    ++line_;
  }
}

void CsvSlabs::skip(std::size_t lines) {
  std::size_t at = 0;
  while (lines > 0 && (at < rest_.size() || !at_end_)) {
    const std::size_t end = rest_.find_first_of("\r\n", at);
    if (end < rest_.size() && (end + 1 < rest_.size() || at_end_)) {
      at = end + (rest_[end] == '\r' && end + 1 < rest_.size() && rest_[end + 1] == '\n' ? 2 : 1);
      --lines;
    } else if (at_end_) {
      at = rest_.size();
    } else if (rest_.size() - at >= maximum_line_bytes) {
      too_long_ = true;
      break;
    } else {
      rest_.erase(0, at);
      at = 0;
      fill(first_bytes);
    }
  }
  rest_.erase(0, at);
}

double CsvSlabs::part_read() const {
  return taken_ > 0 ? file_.part_read() * taken_ / (taken_ + static_cast<double>(rest_.size())) : 0;
}

bool CsvSlabs::read(std::string& text, std::size_t bytes) {
  if (too_long_) return false;
  for (;;) {
    if (!at_end_ && rest_.size() < bytes) fill(bytes - rest_.size());
    const std::size_t end = at_end_ ? rest_.size() : end_of_records(rest_, dialect_, in_quotes_);
    if (end > 0) {
      text.append(rest_, 0, end);
      rest_.erase(0, end);
      examined_ -= std::min(examined_, end);
      taken_ += static_cast<double>(end);
      return true;
    }
    if (at_end_) return false;
    too_long_ = rest_.size() >= maximum_line_bytes;
    if (too_long_) return false;
    bytes = std::min(2 * std::max(bytes, rest_.size()), maximum_line_bytes);
  }
}

}  // namespace kinescope::sim
