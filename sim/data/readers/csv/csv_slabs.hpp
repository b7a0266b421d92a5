// Cuts a CSV file into slabs of whole records, so that each can be read by itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sim/data/readers/csv/csv_records.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// Where the last complete record of `text` ends; 0 if there is none. `text` begins with a record. A quote that opens a
// cell may hold line ends; one inside a plain cell or a comment means nothing. `in_quotes` tells whether the text ends
// within a quoted cell.
std::size_t end_of_records(std::string_view text, const Dialect& dialect, bool& in_quotes);

// Lines of the file that are not read as they are.
struct LinesLeftOut {
  std::size_t first = 0;           // so many at the beginning
  std::vector<std::size_t> more;   // others, counted from 1 at the file's beginning, ascending
  std::size_t header_comment = 0;  // the line whose '#' begins a header instead of a comment; 0: none
};

class CsvSlabs {
 public:
  // Leaves out UTF-8's byte order mark and zero bytes at the end, too. A line left out after the first ones becomes
  // blank, so that the others keep their numbers.
  CsvSlabs(InputFile& file, const Dialect& dialect, LinesLeftOut left_out);

  // Appends whole records to `text`, about `bytes` bytes and at least one record; false at the end of the file. The
  // last record of the file need not be whole. Throws what InputFile::read throws.
  bool read(std::string& text, std::size_t bytes);

  // How much of the file all slabs so far make up, 0 … 1; 0 if that is not known.
  double part_read() const;

  // True once a record is longer than 64 MiB: it is not read, and read() returns false.
  bool too_long() const { return too_long_; }
  bool in_quotes() const { return in_quotes_; }

  // How many zero bytes were left out at the end.
  std::size_t zero_bytes() const { return zero_bytes_; }

 private:
  bool fill(std::size_t bytes);
  void skip(std::size_t lines);
  void blank_lines();
  void leave_out_zeros();

  InputFile& file_;
  Dialect dialect_;
  LinesLeftOut left_out_;
  // The next of left_out_.more; how much of rest_ has been searched for these lines, and the line there.
  std::size_t next_ = 0, examined_ = 0, line_ = 0;
  std::size_t zero_bytes_ = 0;
  std::string rest_;  // text that is read but not yet handed out
  double taken_ = 0;  // bytes handed out so far
  bool at_end_ = false, too_long_ = false, in_quotes_ = false;
};

}  // namespace kinescope::sim
