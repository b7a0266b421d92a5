// How a table of text was read: each decision, how sure it is, and what else it might have been.
#pragma once

#include <string>
#include <vector>

#include "kinescope/data/table_format.hpp"

namespace kinescope::sim {

// Another way to read the file.
struct OtherReading {
  std::string text;    // for a button: "Semicolons", "Row 1 is data", "Read 'age' as numbers"
  std::string option;  // the same on the command line: "--separator ';'"
  TableFormat format;  // the whole format to open the file with
};

struct ReadingGuess {
  enum class Kind { separator, quotes, header, decimal_mark, encoding, skipped_lines, column };
  Kind kind;
  std::string what;    // "Separator", "Header", or a column's name
  std::string taken;   // "Comma", "Row 1", "Text"
  std::string reason;  // a sentence without a full stop; "" if there is nothing to say
  bool sure = true;    // false: the others are worth a look
  std::vector<OtherReading> others;
};

struct TextReading {
  std::vector<ReadingGuess> guesses;
};

}  // namespace kinescope::sim
