// How a table of text is cut into cells; reads its records one at a time.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/data/table_format.hpp"
#include "kinescope/error.hpp"

namespace kinescope::sim {

// How the cells of a table are separated and its numbers written.
struct Dialect {
  char separator = ',';        // ' ' stands for any run of blanks
  bool decimal_comma = false;  // "1,5" is a number
  bool quotes = true;          // a double quote that opens a cell encloses it
  // Each line is a word and its numbers: a line that begins with '#' and has as many cells is a row, not a comment.
  bool word_vectors = false;
};

// Properties that all slabs of a file share.
struct CsvShape {
  std::string path;
  Dialect dialect;
  TableFormat format;              // as it was asked for
  std::vector<std::string> names;  // of the columns, for error messages
};

// How many lines end in the text; CR LF is one end.
std::size_t count_line_ends(std::string_view text);

class CsvRecords {
 public:
  // `text` holds whole records (csv_slabs.hpp), the first of them in line `line`. `columns` is the number of cells that
  // a record should have, 0 if it is not known.
  CsvRecords(const CsvShape& shape, std::string_view text, std::size_t line, std::size_t columns = 0);

  // Goes to the next record; false at the end of the text. Throws Error (input) with file and line.
  bool next();

  // Goes to the next record if it is a line of as many cells as `row` has places, all of them plain numbers below 2^53
  // in magnitude or empty: then `row` has the numbers, NaN for empty cells, and cells() and numbers() are not set.
  // Else it is false, and nothing has changed. Three times as fast as next().
  bool next_numbers(std::span<double> row);
  // How many cells of that record are empty.
  std::size_t gaps() const { return gaps_; }

  // The current record's cells, without quotes and surrounding blanks; valid until next().
  const std::vector<std::string_view>& cells() const { return cells_; }
  // For each cell its number if parse_decimal finds one, else NaN.
  const std::vector<double>& numbers() const { return numbers_; }
  // The line, from 1, where the record began.
  std::size_t line() const { return record_line_; }

  // The text after the current record, and the line where it begins.
  std::string_view rest() const { return {at_, static_cast<std::size_t>(end_ - at_)}; }
  std::size_t next_line() const { return line_; }

  // Lines so far that begin with '#', which makes them comments, and have as many fields as a record should have.
  std::size_t comments_like_records() const { return comments_like_records_; }
  // All lines so far that begin with '#'.
  std::size_t comments() const { return comments_; }

 private:
  void scan();
  bool scan_number();
  void scan_cell();
  void scan_quoted();
  void skip_line();
  void end_line();
  void unescape();
  void skip_blanks() { at_ = after_blanks(at_); }
  const char* after_blanks(const char* at) const {
    while (at < end_ && (*at == ' ' || *at == '\t') && (*at != separator_ || blanks_separate_)) ++at;
    return at;
  }
  bool ends_record(const char* at) const { return at == end_ || *at == '\n' || *at == '\r'; }
  std::size_t fields_of(std::string_view line) const;
  bool is_comment() const;
  bool is_word() const;
  Error quote_error(const char* what) const;

  const CsvShape* shape_;
  const char* at_;
  const char* end_;
  char separator_;
  bool blanks_separate_, quotes_;
  bool ends_plain_cell_[256] = {};
  std::size_t line_, record_line_, columns_;
  std::size_t lines_in_quotes_ = 0, comments_like_records_ = 0, comments_ = 0, gaps_ = 0;
  std::vector<std::string_view> cells_;
  std::vector<double> numbers_;
  std::vector<std::size_t> escaped_;    // the cells that hold doubled quotes
  std::vector<std::string> unescaped_;  // their texts
};

}  // namespace kinescope::sim
