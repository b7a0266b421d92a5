// What stands in the first lines of a table of text beside its header and its rows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/data/readers/csv/dialect.hpp"

namespace kinescope::sim {

struct FirstLines {
  std::vector<std::size_t> skipped;  // lines that are neither header nor rows
  std::string reason;                // why: "it holds units: 's', 'N', 'mm'"; "" if none is skipped
  std::optional<std::size_t> rows;   // how many rows one of them says there are
  std::size_t header_comment = 0;    // the line that begins with '#' and is the header; 0: none
  std::vector<std::string> names;    // of the columns, if each is made of several lines; or empty
};

// Finds, in the sample of a head:
//   - a line of counts above the rows or below the header, as word2vec and point clouds have it,
//   - rows of units or of other names below or above the header: texts in columns of numbers, and what is between them
//     and the header; if no row has a name of its own for each column, names are made of all of them, as pandas writes
//     columns of several levels,
//   - the names and the values of another table of one row above the header,
//   - a header that begins with '#' and has as many cells as the rows: the last comment above them, or the only such
//   one.
// `whole`: the head is the whole file. O(cells of the sample).
FirstLines find_first_lines(const CsvSample& sample, std::string_view head, bool whole);

}  // namespace kinescope::sim
