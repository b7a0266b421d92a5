#include "sim/data/readers/csv/csv_records.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

#include "sim/data/limits.hpp"
#include "sim/data/readers/decimal.hpp"
#include "sim/data/readers/number.hpp"
#include "sim/data/readers/text_lines.hpp"

namespace kinescope::sim {

std::size_t count_line_ends(std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i)
    count += text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
  return count;
}

CsvRecords::CsvRecords(const CsvShape& shape, std::string_view text, std::size_t line, std::size_t columns)
    : shape_(&shape),
      at_(text.data()),
      end_(text.data() + text.size()),
      separator_(shape.dialect.separator),
      blanks_separate_(separator_ == ' '),
      quotes_(shape.dialect.quotes),
      line_(line),
      record_line_(line),
      columns_(columns) {
  ends_plain_cell_[static_cast<unsigned char>(separator_)] = true;
  ends_plain_cell_[static_cast<unsigned char>('\n')] = true;
  ends_plain_cell_[static_cast<unsigned char>('\r')] = true;
  if (blanks_separate_) ends_plain_cell_[static_cast<unsigned char>('\t')] = true;
}

bool CsvRecords::next() {
  while (at_ != end_) {
    const char* const begin = at_;
    skip_blanks();
    if (at_ == end_ || (*at_ == '#' && is_comment()) || *at_ == '\n' || *at_ == '\r') {
      skip_line();
      continue;
    }
    at_ = begin;
    scan();
    return true;
  }
  return false;
}

bool CsvRecords::next_numbers(std::span<double> row) {
  constexpr double rounded = 9007199254740992;  // 2^53: the digits of larger numbers may have to be kept
  const char* at = at_;
  std::size_t gaps = 0;
  for (std::size_t i = 0; i < row.size(); ++i) {
    if (i > 0 && !blanks_separate_) {
      if (at == end_ || *at != separator_) return false;
      ++at;
    }
    const char* const first = after_blanks(at);
    if (blanks_separate_ && i > 0 && first == at) return false;
    if (const char* const stop = parse_decimal(first, end_, row[i])) {
      if (!(std::abs(row[i]) < rounded)) return false;
      at = after_blanks(stop);
      if (blanks_separate_ && i + 1 < row.size()) at = stop;
      continue;
    }
    // An empty line is no record.
    const bool is_gap = i + 1 < row.size() ? first < end_ && *first == separator_ : i > 0 && ends_record(first);
    if (blanks_separate_ || !is_gap) return false;
    row[i] = std::numeric_limits<double>::quiet_NaN();
    ++gaps;
    at = first;
  }
  if (!ends_record(at)) return false;
  at_ = at;
  gaps_ = gaps;
  end_line();
  record_line_ = line_++;
  return true;
}

void CsvRecords::skip_line() {
  const char* const begin = at_;
  while (at_ < end_ && *at_ != '\n' && *at_ != '\r') ++at_;
  const std::string_view line(begin, static_cast<std::size_t>(at_ - begin));
  comments_ += line.starts_with('#');
  if (line.starts_with('#') && columns_ > 1 && fields_of(line) == columns_) ++comments_like_records_;
  end_line();
  ++line_;
}

// The fields of a comment; nothing in it is quoted.
std::size_t CsvRecords::fields_of(std::string_view line) const {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
  if (!blanks_separate_) return 1 + static_cast<std::size_t>(std::count(line.begin(), line.end(), separator_));
  std::size_t words = 0;
  for (std::size_t i = 0; i < line.size(); ++i) words += !is_blank(line[i]) && (i == 0 || is_blank(line[i - 1]));
  return words;
}

// Whether the line at `at_`, which begins with '#', is a comment.
bool CsvRecords::is_comment() const {
  return begins_comment({at_, static_cast<std::size_t>(end_ - at_)}, separator_) && !is_word();
}

// Whether the line at `at_`, which begins with '#', is that of a word among word vectors.
bool CsvRecords::is_word() const {
  if (!shape_->dialect.word_vectors) return false;
  std::string_view line(at_, static_cast<std::size_t>(end_ - at_));
  line = line.substr(0, line.find_first_of("\r\n"));
  if (columns_ > 0 && fields_of(line) != columns_) return false;
  next_word(line);
  std::string_view number = next_word(line);
  for (; !number.empty(); number = next_word(line))
    if (kind_of_cell(number) != CellKind::number) return false;
  return true;
}

// `at_` is at the end of the line or of the text.
void CsvRecords::end_line() {
  if (at_ + 1 < end_ && *at_ == '\r' && at_[1] == '\n') ++at_;
  if (at_ < end_) ++at_;
}

// A fast path that reads most cells of numbers.
inline bool CsvRecords::scan_number() {
  double value = 0;
  const char* const stop = parse_decimal(at_, end_, value);
  if (!stop || (stop != end_ && !ends_plain_cell_[static_cast<unsigned char>(*stop)])) return false;
  cells_.emplace_back(at_, static_cast<std::size_t>(stop - at_));
  numbers_.push_back(value);
  at_ = stop;
  return true;
}

// Leaves `at_` at the cell's end: a separator, a line end, or the text's end.
inline void CsvRecords::scan_cell() {
  if (scan_number()) return;
  numbers_.push_back(std::numeric_limits<double>::quiet_NaN());
  skip_blanks();
  if (at_ < end_ && *at_ == '"' && quotes_) return scan_quoted();
  const char* const first = at_;
  while (at_ < end_ && !ends_plain_cell_[static_cast<unsigned char>(*at_)]) ++at_;
  const char* last = at_;
  while (last > first && (last[-1] == ' ' || last[-1] == '\t')) --last;
  cells_.emplace_back(first, static_cast<std::size_t>(last - first));
}

void CsvRecords::scan() {
  cells_.clear();
  numbers_.clear();
  escaped_.clear();
  lines_in_quotes_ = 0;
  for (;; ++at_) {
    scan_cell();
    if (cells_.size() > maximum_columns)
      throw file_error(shape_->path, line_, "more than " + std::to_string(maximum_columns) + " columns");
    if (blanks_separate_) {
      skip_blanks();
      if (at_ == end_ || *at_ == '\n' || *at_ == '\r') break;
      --at_;
    } else if (at_ == end_ || *at_ != separator_) {
      break;
    }
  }
  end_line();
  record_line_ = line_;
  line_ += 1 + lines_in_quotes_;
  if (!escaped_.empty()) unescape();
}

Error CsvRecords::quote_error(const char* what) const {
  TableFormat plain = shape_->format;
  plain.quotes = Quotes::none;
  return file_error(shape_->path, line_, std::string(what) + "; `--quote none` reads quotes as characters")
      .with({.text = "Read quotes as characters", .format = std::make_shared<const TableFormat>(std::move(plain))});
}

void CsvRecords::scan_quoted() {
  const char* const first = ++at_;
  bool escaped = false;
  for (;; at_ += 2, escaped = true) {
    at_ = static_cast<const char*>(std::memchr(at_, '"', static_cast<std::size_t>(end_ - at_)));
    if (!at_) throw quote_error("a quote is never closed");
    if (at_ + 1 == end_ || at_[1] != '"') break;
  }
  if (escaped) escaped_.push_back(cells_.size());
  cells_.emplace_back(first, static_cast<std::size_t>(at_ - first));
  lines_in_quotes_ += count_line_ends(cells_.back());
  ++at_;
  if (!blanks_separate_) skip_blanks();
  if (at_ == end_ || ends_plain_cell_[static_cast<unsigned char>(*at_)]) return;
  if (cells_.back().ends_with('\\'))
    throw file_error(shape_->path, line_,
                     "column " + std::to_string(cells_.size()) + ": a quote in quotes is written \"\", not \\\"");
  throw quote_error(("column " + std::to_string(cells_.size()) + ": text after a closing quote").c_str());
}

// Does not change the text, which may be read again: the cells then refer to copies.
void CsvRecords::unescape() {
  unescaped_.resize(std::max(unescaped_.size(), escaped_.size()));
  for (std::size_t i = 0; i < escaped_.size(); ++i) {
    std::string_view& cell = cells_[escaped_[i]];
    std::string& text = unescaped_[i];
    text.clear();
    for (std::size_t c = 0; c < cell.size(); ++c) {
      text += cell[c];
      if (cell[c] == '"') ++c;
    }
    cell = text;
  }
}

}  // namespace kinescope::sim
