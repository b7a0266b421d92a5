// A file of text line by line, for formats that quote nothing; and lines and words of its beginning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "kinescope/error.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

class TextLines {
 public:
  // `before`: so many lines of the file have been read.
  explicit TextLines(InputFile& file, std::size_t before = 0) : file_(file), number_(before) {}

  // Goes to the next line; false at the end of the file. Throws Error (input) for a line of more than 64 MiB, and what
  // InputFile::read throws.
  bool next();

  // The current line without its end, and without UTF-8's byte order mark; valid until next().
  std::string_view text() const { return text_; }
  // Its number, from 1; after the end of the file, that of the last line.
  std::size_t number() const { return number_; }
  // The input error about it.
  Error error(const std::string& message) const { return file_error(file_.path(), number_, message); }
  // The number that a word of it is; NaN if it is missing. Throws Error (input) for other texts.
  double value_of(std::string_view word) const;
  // Throws Error (input) if all that follows is not blank.
  void expect_end(const char* message);

 private:
  void fill();

  InputFile& file_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the unread part of the buffer
  bool at_end_ = false;              // the rest of the file is in the buffer
  std::string_view text_;
  std::size_t number_;
};

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // UTF-8's
inline std::string_view without_mark(std::string_view text) {
  return text.substr(text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0);
}
// The text without those of these characters that it begins or ends with.
std::string_view trimmed(std::string_view text, std::string_view blanks = " \t");

// Cuts the first line off `rest`; it is returned without its end.
std::string_view next_line(std::string_view& rest);
// Cuts the first word off `rest`; words are separated by blanks. "" if there is none.
std::string_view next_word(std::string_view& rest);
std::vector<std::string_view> words_of(std::string_view line);

}  // namespace kinescope::sim
