// A second table that tells of the rows of the first: samples, sites, cells. Both have the rows' names.
#pragma once

#include <optional>
#include <string>

#include "kinescope/data/load.hpp"
#include "kinescope/table.hpp"

namespace kinescope::sim {

// Appends the columns of `request.metadata` to the table's as columns that annotate, missing where a row has no match.
// A name that is taken gets the suffix `_metadata`. Remarks say what was matched.
//
// The names are in the column `request.by` of the second table, or in its first one (of AnnData and the like: in the
// first one of texts that annotates), as they are written. In the table they are in the column of the same name if it
// has any of them, else in the column of texts that has most of them, else in one of different whole numbers; of a
// graph in its first column; of a matrix without row names in its header. Blanks at ends do not count. Names match as
// they are written; tables of text are read again for that. If one of both columns has numbers, or if no names match
// so, a name also matches by its value (`007` is 7), unless one of the tables writes this value in several ways. Rows
// without a name match nothing.
//
// Throws Error (input) if names are repeated in the second table, with the lines, and if none matches, with examples
// and a remedy where one is seen. O(cells).
void join_metadata(Table& table, const DataRequest& request, LoadProgress* progress = nullptr);

// How a file could be joined to an open table: `request` with metadata, by and transpose set. At least half of the rows
// must be named in it by texts (or half of the columns of a table of text, which is then transposed), each once, and it
// must not be a table of the same columns. nullopt otherwise, and for files that cannot be read.
std::optional<DataRequest> as_metadata(const std::string& file, const Table& open, const DataRequest& request,
                                       LoadProgress* progress = nullptr);

}  // namespace kinescope::sim
