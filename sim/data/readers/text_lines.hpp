// A file of text line by line, for formats that quote nothing.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

class TextLines {
 public:
  explicit TextLines(InputFile& file) : file_(file) {}

  // Goes to the next line; false at the end of the file. Throws Error (input) for a line of more than 64 MiB, and what
  // InputFile::read throws.
  bool next();

  // The current line without its end, and without UTF-8's byte order mark; valid until next().
  std::string_view text() const { return text_; }
  // Its number, from 1; after the end of the file, that of the last line.
  std::size_t number() const { return number_; }

 private:
  void fill();

  InputFile& file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the unread part of the buffer
  bool at_end_ = false;              // the rest of the file is in the buffer
  std::string_view text_;
  std::size_t number_ = 0;
};

// Goes to the next line that is not blank. Its number; 0 at the end of the file.
std::size_t next_filled_line(TextLines& lines);

// Cuts the first word off `rest`; words are separated by blanks. "" if there is none.
std::string_view next_word(std::string_view& rest);

}  // namespace kinescope::sim
