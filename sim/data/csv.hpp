// Tables as text: fields separated by commas, tabs or semicolons.
//
// A record is a line, or more where a quoted field holds line ends; quotes inside such a field are doubled. Lines that
// begin with '#' and blank ones are skipped. LF, CRLF and CR end a line. Record one is a header if any of its cells is
// neither a number nor missing; else the columns are c0, c1, …
#pragma once

#include <string_view>

#include "sim/core/table.hpp"
#include "sim/data/input_file.hpp"

namespace kinescope::sim {

// ',' '\t' or ';', whichever divides the first lines alike; of several the one that makes more fields.
char sniff_separator(std::string_view head);

// Throws Error (input) with file and line: records of different lengths, text in a column of numbers, infinities and
// numbers beyond float32, a line of more than 64 MiB, a quote that is never closed, no rows; Cancelled. O(bytes); of
// the file itself no more than one line and 1 MiB is in memory at a time.
Table read_csv(InputFile& file);

}  // namespace kinescope::sim
