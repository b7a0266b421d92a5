// Tables as text: fields separated by commas, tabs, semicolons or blanks.
//
// A record is one line, or several if a quoted field holds line ends; quotes inside such a field are doubled. Blank
// lines and lines that begin with '#' are skipped. LF, CRLF and CR end a line. A first line "sep=;", as spreadsheets
// write it, names the separator.
//
// Record one is a header, unless TableFormat says otherwise, if
//   - a cell of it is text above a column that otherwise holds numbers or dates, or
//   - all its cells are text and not all columns are (columns without any cell do not count), or
//   - it is one cell shorter than the records below it, which begin with their names or end with a separator, or
//   - its first cell is empty and the others count from 0, as pandas names columns without names, or
//   - its numbers are at least three years, each the one after the last, and those of record two are not, or
//   - a cell of it is a text that never recurs, in a column of texts most of which do (of the first 10,000 rows).
// Otherwise it is data, and the columns are c0, c1, …
#pragma once

#include "sim/core/table.hpp"
#include "sim/data/load.hpp"
#include "sim/data/readers/input_file.hpp"

namespace kinescope::sim {

// A column of numbers and texts becomes a column of texts if at least ten of its values, and at least a tenth, are
// texts that are not all the same; otherwise Column::stray_text holds its first text. A column of ISO dates becomes one
// of days (dates.hpp). The first 1,001 rows (64 MiB at most) decide which columns are texts. The file is cut into slabs
// of whole records (csv_slabs.hpp), which all threads read; the table does not depend on their number. Throws Error
// (input) with file and line for records of different lengths, infinities and numbers beyond float32, a line of more
// than 64 MiB, a quote that is never closed, and no rows; Cancelled. O(bytes). In addition to the table it needs memory
// for a slab of 1 MiB a thread.
Table read_csv(InputFile& file, const TableFormat& format = {});

}  // namespace kinescope::sim
