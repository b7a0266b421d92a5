// Reads the records of a CSV file one at a time.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // UTF-8's

class CsvRecords {
 public:
  // `separator` ' ' stands for any run of blanks. The file's first `skip_lines` lines are skipped.
  CsvRecords(InputFile& file, char separator, std::size_t skip_lines = 0);

  // Goes to the next record; false at the end of the file. Throws Error (input) with file and line, Cancelled.
  bool next();

  // The current record's cells, without quotes and surrounding blanks; valid until next().
  const std::vector<std::string_view>& cells() const { return cells_; }
  // The line, from 1, where the record began.
  std::size_t line() const { return record_line_; }

 private:
  enum class Outcome { record, skipped, incomplete };

  void fill();
  Outcome scan();
  Outcome skip_line(const char* at);
  Outcome scan_cell(const char*& at);
  Outcome scan_quoted(const char*& at);
  Outcome finish_line(const char* at, Outcome outcome);
  void unescape();
  const char* skip_blanks(const char* at) const;

  InputFile& file_;
  char separator_;
  bool blanks_separate_;
  bool ends_plain_cell_[256] = {};
  std::vector<char> buffer_;
  char* begin_ = nullptr;  // the unread part of the buffer
  char* end_ = nullptr;
  bool at_end_ = false;     // the rest of the file is in the buffer
  bool in_quotes_ = false;  // the last scan ended inside quotes
  std::size_t line_ = 1, record_line_ = 1;
  std::size_t lines_in_quotes_ = 0;
  std::vector<std::string_view> cells_;
  std::vector<std::size_t> escaped_;  // the cells that hold doubled quotes
};

}  // namespace kinescope::sim
