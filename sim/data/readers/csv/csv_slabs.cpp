#include "sim/data/readers/csv/csv_slabs.hpp"

#include <algorithm>
#include <cstring>

#include "sim/data/limits.hpp"
#include "sim/data/readers/csv/csv_records.hpp"

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

std::size_t end_of_records(std::string_view text, char separator, bool& in_quotes) {
  const bool blanks_separate = separator == ' ';
  std::size_t record = 0, from = 0;  // the present record begins at `record`; the text before `from` has been examined
  in_quotes = false;
  for (;;) {
    const std::size_t quote = text.find('"', from), plain_end = std::min(quote, text.size());
    if (const std::size_t end = last_line_end(text, from, plain_end); end > from) record = from = end;
    if (quote == std::string_view::npos) return record;
    std::size_t first = record;  // where the record's first cell begins
    while (is_blank(text[first]) && (text[first] != separator || blanks_separate)) ++first;
    if (text[first] == '#') {
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

CsvSlabs::CsvSlabs(InputFile& file, char separator, std::size_t skip_lines) : file_(file), separator_(separator) {
  fill(first_bytes);
  if (rest_.starts_with(byte_order_mark)) rest_.erase(0, byte_order_mark.size());
  skip(skip_lines);
}

bool CsvSlabs::fill(std::size_t bytes) {
  const std::size_t size = rest_.size();
  rest_.resize(size + bytes);
  const std::size_t got = file_.read(rest_.data() + size, bytes);
  rest_.resize(size + got);
  at_end_ = got < bytes;
  return got > 0;
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
    const std::size_t end = at_end_ ? rest_.size() : end_of_records(rest_, separator_, in_quotes_);
    if (end > 0) {
      text.append(rest_, 0, end);
      rest_.erase(0, end);
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
