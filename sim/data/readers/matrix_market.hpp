// Matrix Market files (R. Boisvert, R. Pozo, K. Remington, "The Matrix Market Exchange Formats", NISTIR 5935), gzipped
// or not.
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

bool is_matrix_market(const InputFile& file);

// `coordinate` gives sparse rows, `array` a table with the columns c0, c1, …; both without names. Entries of a
// symmetric or skew-symmetric matrix are mirrored, entries in the same place are added up, and those of a pattern are
// 1. Throws Error (input) with file and line for other kinds of matrices, for more or fewer entries than the header
// states, for places outside the matrix or above the diagonal of a symmetric one, and for values that are no numbers or
// beyond float32; Cancelled. O(bytes + entries · log(entries of a row)); it is checked that memory suffices for what
// the header claims, before the memory is taken.
//
// With Reading::graph a square matrix of coordinates gives a table of nodes instead: each entry off the diagonal is an
// edge between its row and its column, and its value is the edge's length. Throws Error (input) for a length that is
// not positive.
Table read_matrix_market(InputFile& file, LoadProgress* progress, Reading reading = Reading::rows);

}  // namespace kinescope::sim
