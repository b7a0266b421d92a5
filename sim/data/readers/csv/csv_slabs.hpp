// Cuts a CSV file into slabs of whole records, so that each can be read by itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// Where the last complete record of `text` ends; 0 if there is none. `text` begins with a record. A quote that opens a
// cell may hold line ends; one inside a plain cell or a comment means nothing. `in_quotes` tells whether the text ends
// within a quoted cell.
std::size_t end_of_records(std::string_view text, char separator, bool& in_quotes);

class CsvSlabs {
 public:
  // Leaves out the first `skip_lines` lines, and UTF-8's byte order mark.
  CsvSlabs(InputFile& file, char separator, std::size_t skip_lines);

  // Appends whole records to `text`, about `bytes` bytes and at least one record; false at the end of the file. The
  // last record of the file need not be whole. Throws what InputFile::read throws.
  bool read(std::string& text, std::size_t bytes);

  // How much of the file all slabs so far make up, 0 … 1; 0 if that is not known.
  double part_read() const;

  // True once a record is longer than 64 MiB: it is not read, and read() returns false.
  bool too_long() const { return too_long_; }
  bool in_quotes() const { return in_quotes_; }

 private:
  bool fill(std::size_t bytes);
  void skip(std::size_t lines);

  InputFile& file_;
  char separator_;
  std::string rest_;  // text that is read but not yet handed out
  double taken_ = 0;  // bytes handed out so far
  bool at_end_ = false, too_long_ = false, in_quotes_ = false;
};

}  // namespace kinescope::sim
