// How a table of text is cut into cells, as all its parts are.
#pragma once

#include <string>
#include <vector>

#include "sim/data/table_format.hpp"

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

}  // namespace kinescope::sim
