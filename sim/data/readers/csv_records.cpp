#include "sim/data/readers/csv_records.hpp"

#include <algorithm>
#include <cstring>
#include <string>

#include "sim/core/error.hpp"
#include "sim/data/limits.hpp"

namespace kinescope::sim {
namespace {

constexpr std::size_t first_buffer_bytes = 1 << 20;

std::size_t count_line_ends(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    count += text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
  return count;
}

}  // namespace

CsvRecords::CsvRecords(InputFile& file, char separator, std::size_t skip_lines)
    : file_(file),
      separator_(separator),
      blanks_separate_(separator == ' '),
      buffer_(first_buffer_bytes),
      begin_(buffer_.data()),
      end_(buffer_.data()) {
  ends_plain_cell_[static_cast<unsigned char>(separator)] = true;
  ends_plain_cell_[static_cast<unsigned char>('\n')] = true;
  ends_plain_cell_[static_cast<unsigned char>('\r')] = true;
  if (blanks_separate_) ends_plain_cell_[static_cast<unsigned char>('\t')] = true;
  fill();
  if (std::string_view(begin_, end_).starts_with(byte_order_mark)) begin_ += byte_order_mark.size();
  while (skip_lines > 0 && !(begin_ == end_ && at_end_))
    if (skip_line(begin_) == Outcome::incomplete)
      fill();
    else
      --skip_lines;
}

// Moves the rest to the front of the buffer, doubles the buffer if a record does not fit, and reads on.
void CsvRecords::fill() {
  const auto left = static_cast<std::size_t>(end_ - begin_);
  if (left >= maximum_line_bytes)  // one record fills the buffer
    throw file_error(file_.path(), line_,
                     std::string("a line of more than 64 MiB") + (in_quotes_ ? "; is a quote never closed?" : ""));
  if (left > 0) std::memmove(buffer_.data(), begin_, left);
  if (left > buffer_.size() / 2) buffer_.resize(std::min(2 * buffer_.size(), maximum_line_bytes));
  const std::size_t wanted = buffer_.size() - left, got = file_.read(buffer_.data() + left, wanted);
  at_end_ = got < wanted;
  begin_ = buffer_.data();
  end_ = begin_ + left + got;
}

bool CsvRecords::next() {
  for (;;) {
    if (begin_ == end_ && at_end_) return false;
    const Outcome outcome = scan();
    if (outcome == Outcome::record) return true;
    if (outcome == Outcome::incomplete) fill();
  }
}

const char* CsvRecords::skip_blanks(const char* at) const {
  while (at < end_ && (*at == ' ' || *at == '\t') && (*at != separator_ || blanks_separate_)) ++at;
  return at;
}

CsvRecords::Outcome CsvRecords::skip_line(const char* at) {
  while (at < end_ && *at != '\n' && *at != '\r') ++at;
  if (at == end_ && !at_end_) return Outcome::incomplete;
  return finish_line(at, Outcome::skipped);
}

// `at` is at the end of the line or of the file. The scanned part is done; the next scan begins after it.
CsvRecords::Outcome CsvRecords::finish_line(const char* at, Outcome outcome) {
  if (at < end_ && *at == '\r') {
    if (at + 1 == end_ && !at_end_) return Outcome::incomplete;  // a '\n' may follow
    if (at + 1 < end_ && at[1] == '\n') ++at;
  }
  if (at < end_) ++at;
  begin_ += at - begin_;
  record_line_ = line_;
  line_ += 1 + lines_in_quotes_;
  lines_in_quotes_ = 0;
  if (outcome == Outcome::record) unescape();
  return outcome;
}

CsvRecords::Outcome CsvRecords::scan() {
  cells_.clear();
  escaped_.clear();
  lines_in_quotes_ = 0;
  in_quotes_ = false;
  const char* at = skip_blanks(begin_);
  if (at == end_ ? at_end_ : *at == '#' || *at == '\n' || *at == '\r') return skip_line(at);
  for (at = begin_;; ++at) {
    if (scan_cell(at) == Outcome::incomplete) return Outcome::incomplete;
    if (cells_.size() > maximum_columns)
      throw file_error(file_.path(), line_, "more than " + std::to_string(maximum_columns) + " columns");
    if (blanks_separate_) {
      at = skip_blanks(at);
      if (at == end_ && !at_end_) return Outcome::incomplete;
      if (at == end_ || *at == '\n' || *at == '\r') return finish_line(at, Outcome::record);
      --at;
    } else if (at == end_ || *at != separator_) {
      return finish_line(at, Outcome::record);
    }
  }
}

// Leaves `at` at the cell's end: a separator, a line end, or the file's end.
CsvRecords::Outcome CsvRecords::scan_cell(const char*& at) {
  at = skip_blanks(at);
  if (at < end_ && *at == '"') return scan_quoted(at);
  const char* first = at;
  while (at < end_ && !ends_plain_cell_[static_cast<unsigned char>(*at)]) ++at;
  if (at == end_ && !at_end_) return Outcome::incomplete;
  const char* last = at;
  while (last > first && (last[-1] == ' ' || last[-1] == '\t')) --last;
  cells_.emplace_back(first, static_cast<std::size_t>(last - first));
  return Outcome::record;
}

CsvRecords::Outcome CsvRecords::scan_quoted(const char*& at) {
  const char* first = ++at;
  bool escaped = false;
  for (;; at += 2, escaped = true) {
    at = static_cast<const char*>(std::memchr(at, '"', static_cast<std::size_t>(end_ - at)));
    if (!at || (at + 1 == end_ && !at_end_)) {
      if (at_end_) throw file_error(file_.path(), line_, "a quote is never closed");
      in_quotes_ = true;
      return Outcome::incomplete;
    }
    if (at + 1 == end_ || at[1] != '"') break;
  }
  if (escaped) escaped_.push_back(cells_.size());
  cells_.emplace_back(first, static_cast<std::size_t>(at - first));
  lines_in_quotes_ += count_line_ends(cells_.back());
  at = blanks_separate_ ? at + 1 : skip_blanks(at + 1);
  if (at == end_) return at_end_ ? Outcome::record : Outcome::incomplete;
  if (!ends_plain_cell_[static_cast<unsigned char>(*at)])
    throw file_error(file_.path(), line_, "column " + std::to_string(cells_.size()) + ": text after a closing quote");
  return Outcome::record;
}

// Works in place: a cell only gets shorter, and its record will not be scanned again.
void CsvRecords::unescape() {
  for (const std::size_t index : escaped_) {
    char* const first = buffer_.data() + (cells_[index].data() - buffer_.data());
    char* into = first;
    for (std::size_t i = 0; i < cells_[index].size(); ++i) {
      *into++ = first[i];
      if (first[i] == '"') ++i;
    }
    cells_[index] = {first, static_cast<std::size_t>(into - first)};
  }
}

}  // namespace kinescope::sim
